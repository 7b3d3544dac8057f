"""A person changes their mind: another question in a turn's place, another answer, the way back; and has an opinion."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import OpenPage, Served, answered, ask, exchange

pytestmark = pytest.mark.browser


def edit_last(page: Page, question: str) -> None:
    """Put another question in the place of the newest turn."""
    page.locator("#turns .turn").last.hover()
    page.locator("#turns [data-edit]").last.click()
    page.locator("#turns .edit textarea").last.fill(question)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("drawn", [False, True])
def test_a_question_that_is_sent_right_as_an_answer_ends_is_answered(visit: OpenPage, drawn: bool) -> None:
    page = visit()
    ask(page, "缓缓回答")
    page.locator("#live .prose").wait_for()
    page.locator("#question textarea").fill("第二问")
    # Once the end is seen: before the page has taken the live answer away, or right behind that.
    page.evaluate(
        """(drawn) => {
          const { ended } = window.wenqu, field = document.querySelector("#question textarea");
          const press = () => ["keydown", "keypress"].every((name) =>
            field.dispatchEvent(new KeyboardEvent(name, { key: "Enter", bubbles: true, cancelable: true })));
          window.wenqu.ended = () => {
            window.wenqu.ended = ended;
            if (drawn) ended();
            else document.querySelector("#live").insertAdjacentHTML("beforeend", "<article></article>");
            press();
            document.querySelector("#live > article, #live div > article")?.remove();
            if (!drawn) ended();
          };
        }""",
        drawn,
    )
    answered(page, 2)
    expect(page.locator("#turns .question").last).to_have_text("第二问")
    expect(page.locator("#question textarea")).to_have_value("")


def test_a_question_put_differently_is_a_branch_with_a_way_back(visit: OpenPage) -> None:
    page = visit(asks="第一问")
    exchange(page, "第二问", 2)
    edit_last(page, "第二问，换个说法")
    expect(page.locator("#turns .question")).to_have_text(["第一问", "第二问，换个说法"])
    switch = page.locator("#turns .switch")
    expect(switch).to_have_text("2/2")
    switch.get_by_role("button", name="上一个版本").click()
    expect(page.locator("#turns .question")).to_have_text(["第一问", "第二问"])
    expect(switch).to_have_text("1/2")
    page.reload()
    answered(page, 2)
    expect(page.locator("#turns .question")).to_have_text(["第一问", "第二问"])
    exchange(page, "第三问", 3)
    switch.get_by_role("button", name="下一个版本").click()
    expect(page.locator("#turns .question")).to_have_text(["第一问", "第二问，换个说法"])


def test_another_answer_stands_beside_the_first_one(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    page.get_by_role("button", name="重新回答").click()
    expect(page.locator("#turns .switch")).to_have_text("2/2")
    answered(page)


def answer_again_slowly(page: Page, before: int = 0) -> None:
    """Have a question answered once more behind those answered `before`, which takes its time."""
    ask(page, "慢")
    page.locator("#live .prose:not(:empty)").wait_for()
    page.get_by_role("button", name="停止").click()
    answered(page, before + 1)
    page.get_by_role("button", name="重新回答").last.click()
    page.locator("#live .prose:not(:empty)").wait_for()


def test_while_an_answer_comes_no_other_one_begins(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    answer_again_slowly(page, before=1)
    page.get_by_role("button", name="回答得不好").press("Enter")
    page.locator("#turns .edit").evaluate("form => (form.hidden = false)")
    page.locator("#turns .edit textarea").press("Enter")
    question = page.locator("#question textarea")
    question.fill("第三问")
    question.press("Enter")
    page.wait_for_timeout(500)
    expect(page.locator("#turns .turn")).to_have_count(1)
    expect(page.locator("#live .question")).to_have_text("慢")
    expect(page.locator("#turns .edit textarea")).to_be_visible()
    expect(question).to_have_value("第三问")
    page.get_by_role("button", name="停止").click()
    answered(page, 2)
    expect(page.locator("#turns .thumb[aria-pressed=true]")).to_have_count(0)
    question.press("Enter")
    answered(page, 3)


def test_a_second_press_as_the_turn_goes_that_is_answered_anew_begins_no_second_answer(
    visit: OpenPage,
) -> None:
    page = visit(asks="第一问")
    exchange(page, "第二问", 2)
    page.evaluate(
        """() => {
          const press = () => [...document.querySelectorAll('#turns [data-act="retry"]')].at(-1).click();
          new MutationObserver((_, observer) => {
            if (document.querySelectorAll("#turns .turn").length > 1) return;
            observer.disconnect();
            setTimeout(press);
          }).observe(document.querySelector("#turns"), { childList: true, subtree: true });
          press();
        }"""
    )
    expect(page.locator("#turns .switch")).to_have_text("2/2")
    page.wait_for_timeout(1000)
    expect(page.locator("#turns .question")).to_have_text(["第一问", "第二问"])


def test_of_two_questions_sent_before_either_is_seen_the_first_is_answered_and_can_be_stopped(visit: OpenPage) -> None:
    page = visit()
    slow = {"offline": False, "latency": 700, "downloadThroughput": -1, "uploadThroughput": -1}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    ask(page, "慢慢说")
    page.locator("#suggestions button:visible").first.click()
    page.locator("#live .prose:not(:empty)").wait_for()
    page.wait_for_timeout(1500)
    page.get_by_role("button", name="停止").click()
    answered(page)
    expect(page.locator(":is(#turns, #live) .question")).to_have_text("慢慢说")
    ask(page, " ")
    expect(page.locator("#refusal")).to_contain_text("问题是空的")
    exchange(page, "再问", 2)


def test_who_has_stopped_an_answer_asks_on_even_if_its_end_does_not_come(visit: OpenPage) -> None:
    page = visit()
    answer_again_slowly(page)
    page.route(re.compile("/run/predict"), lambda _: None)
    page.get_by_role("button", name="停止").click()
    with page.expect_request(re.compile("/queue/join")):
        ask(page, "第二问")


def test_a_question_that_is_sent_behind_one_that_was_stopped_is_answered_at_its_end(visit: OpenPage) -> None:
    page = visit()
    ask(page, "慢慢回答")
    page.locator("#live .prose").wait_for()
    page.get_by_role("button", name="停止").click()
    ask(page, "第二问")
    page.keyboard.press("Enter")
    answered(page, 2)
    expect(page.locator("#turns .question")).to_have_text(["慢慢回答", "第二问"])
    expect(page.locator("#question textarea")).to_have_value("")


def test_what_is_asked_for_again_right_behind_a_stop_can_be_stopped_as_well(visit: OpenPage) -> None:
    page = visit(asks="缓缓回答")
    ask(page, "慢慢回答")
    page.locator("#live .prose:not(:empty)").wait_for()
    page.evaluate(
        """for (const selector of ["#question .stop-button", '#turns [data-act="retry"]'])
             document.querySelector(selector).click()"""
    )
    expect(page.locator("#live .question")).to_have_text("缓缓回答")
    page.locator("#live .prose:not(:empty)").wait_for()
    page.get_by_role("button", name="停止").click(timeout=2000)
    expect(page.locator("#turns .notice")).to_contain_text("已停止")
    expect(page.locator("#turns .switch")).to_have_text("2/2")
    page.get_by_role("button", name="上一个版本").click()
    expect(page.locator("#turns .question")).to_have_text(["缓缓回答", "慢慢回答"])


def test_an_edit_can_be_given_up(visit: OpenPage) -> None:
    page = visit(asks="错误码")
    page.locator("#turns .turn").hover()
    page.locator("#turns [data-edit]").click()
    page.keyboard.type("不要了")
    page.keyboard.press("Escape")
    expect(page.locator("#turns .edit")).not_to_be_visible()
    expect(page.locator("#turns .question")).to_have_text("错误码")


def test_the_reason_of_an_opinion_is_asked_for_once_and_kept(visit: OpenPage, served: Served) -> None:
    page = visit(asks="错误码")
    page.get_by_role("button", name="回答得不好").click()
    page.locator(".why label", has_text="引用不对").click()
    page.locator(".why > input").fill("第 27 页没有")
    page.get_by_role("button", name="提交").click()
    expect(page.locator(".why")).to_have_count(0)
    expect(page.locator(".toast-body")).to_be_visible()
    assert page.locator(".toast-body").inner_text().strip("×\n ") == "谢谢，已记下你的意见。"
    page.locator('[data-page="theme"]').click(trial=True)
    assert served.services.engine.stored("错误码").feedback_reason == "引用不对；第 27 页没有"
    expect(page.get_by_role("button", name="回答得不好")).to_have_attribute("aria-pressed", "true")
    page.reload()
    answered(page)
    expect(page.locator(".why")).to_have_count(0)


def test_an_opinion_is_given_by_keys_alone(visit: OpenPage, served: Served) -> None:
    page = visit(asks="错误码")
    thumb = page.get_by_role("button", name="回答得不好")
    thumb.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".why legend")).to_have_text("哪里不好？")
    expect(thumb).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.locator(".why [type=submit]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".why")).to_have_count(0)
    expect(thumb).to_be_focused()
    assert served.services.engine.stored("错误码").feedback_reason == "与资料不符"


def test_who_goes_from_version_to_version_by_keys_keeps_the_focus_there(visit: OpenPage) -> None:
    page = visit(asks="第一问")
    for count in (2, 3):
        page.get_by_role("button", name="重新回答").click()
        expect(page.locator("#turns .switch")).to_have_text(f"{count}/{count}")
        answered(page)
    before, after = (page.get_by_role("button", name=f"{side}一个版本") for side in "上下")
    before.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#turns .switch")).to_have_text("2/3")
    expect(before).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#turns .switch")).to_have_text("1/3")
    expect(after).to_be_focused()


def copy(page: Page) -> str:
    """What is copied of an answer."""
    page.get_by_role("button", name="复制").click()
    expect(page.locator("#turns .tool.done")).to_have_count(1)
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_an_answer_is_copied_as_text_which_is_told_and_of_a_marker_that_was_put_right_the_right_one_alone(
    visit: OpenPage,
) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"], asks="错误码")
    copied = copy(page)
    assert "错误码是字符串类型" in copied
    assert "步长 100[2]" in copied and "\n" in copied
    expect(page.locator("#turns .prose")).to_have_count(1)
    expect(page.locator("#turns .cite").first).to_have_text("1")
    expect(page.locator('#thread [role="status"]')).to_have_text("已复制")
    expect(page.locator("#turns [data-copy]")).to_have_attribute("title", "已复制")
    # It is named as before again.
    expect(page.locator("#turns [data-copy]")).to_have_attribute("title", "复制")
    page.evaluate("""document.querySelector('#turns .cite[data-cite="2"]').className = "cite corrected" """)
    copied = copy(page)
    assert "步长 100" in copied and "[1]" in copied and "[2]" not in copied


def test_what_its_numbers_are_of_is_copied_below_an_answer(visit: OpenPage) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"], asks="错误码")
    told, _, below = copy(page).rpartition("\n\n")
    assert told.endswith("不能直接输出给用户[9]。")
    assert below.splitlines() == [
        "[1] 第 27 页 · Java开发手册（黄山版）.pdf",
        "[2] 第 27–28 页 · Java开发手册（黄山版）.pdf",
    ]


def test_the_numbers_of_a_list_and_the_latex_of_formulas_are_copied_with_the_answer(
    visit: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = (
        "步骤：\n\n3. 关闭电源\n5. 拆下螺丝\n   - 先左\n   - 后右\n6. 装回\n\n"
        "面积 $S=\\pi r^2$，即\n\n$$\nS=\\frac{d^2}{4}\n$$"
    )
    monkeypatch.setattr("tests.fakes_engine.ANSWER", answer)
    page = visit(permissions=["clipboard-read", "clipboard-write"], asks="步骤")
    assert [line for line in copy(page).splitlines() if line.strip()] == [
        "步骤：",
        "3. 关闭电源",
        "5. 拆下螺丝",
        "  - 先左",
        "  - 后右",
        "6. 装回",
        r"面积 $S=\pi r^2$，即",
        r"$$S=\frac{d^2}{4}$$",
    ]


@pytest.mark.parametrize("clipboard", ["undefined", "{ writeText: () => Promise.reject(new Error()) }"])
def test_an_answer_is_copied_where_the_browser_gives_no_clipboard(visit: OpenPage, clipboard: str) -> None:
    page = visit()
    page.evaluate(f"Object.defineProperty(navigator, 'clipboard', {{ value: {clipboard} }})")
    exchange(page, "错误码")
    button = page.get_by_role("button", name="复制")
    button.click()
    expect(page.locator("#turns .tool.done")).to_have_count(1)
    expect(button).to_be_focused()
    page.locator("#question textarea").focus()
    page.keyboard.press("Control+V")
    expect(page.locator("#question textarea")).to_have_value(re.compile(r"组成.*\n.*步长 100\[2\]", re.DOTALL))


def test_an_answer_that_cannot_be_copied_says_so(visit: OpenPage) -> None:
    page = visit()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {}); document.execCommand = () => false")
    exchange(page, "错误码")
    for _ in range(2):
        page.get_by_role("button", name="复制").click()
        expect(page.locator("#turns .notice")).to_have_text("浏览器不允许自动复制，请选中回答的文字，手动复制。")
    expect(page.locator("#turns .tool.done")).to_have_count(0)


def test_nothing_moves_when_an_answer_ends(visit: OpenPage) -> None:
    page = visit()
    page.evaluate("""() => {
      window.tops = [];
      const look = () => {
        const lines = document.querySelectorAll("#turns .prose p, #live .prose p");
        if (lines.length) tops.push(lines[0].getBoundingClientRect().top);
        requestAnimationFrame(look);
      };
      look();
    }""")
    exchange(page, "错误码，缓缓道来")
    page.wait_for_timeout(500)
    assert page.evaluate("Math.max(...tops) - Math.min(...tops)") <= 2
    assert page.locator("#thread").evaluate("element => element.scrollWidth <= element.clientWidth")


def test_what_stays_on_the_page_is_not_touched_by_an_answer(visit: OpenPage) -> None:
    page = visit(asks="思考：第一问")
    exchange(page, "第二问", 2)
    page.locator("#turns .thinking summary").click()
    page.evaluate("document.querySelector('#turns .turn').mark = 'same'")
    exchange(page, "第三问", 3)
    assert page.evaluate("document.querySelector('#turns .turn').mark") == "same"
    expect(page.locator("#turns .thinking p")).to_be_visible()


def test_thoughts_stream_in_a_folded_block_that_says_that_the_model_thinks(visit: OpenPage) -> None:
    page = visit()
    ask(page, "思考，慢")
    expect(page.locator("#live .thinking summary")).to_have_text("正在思考…")
    expect(page.locator("#live .thinking")).not_to_have_attribute("open", "")
    page.locator("#live .prose:not(:empty)").wait_for()
    expect(page.locator("#live .thinking summary")).to_have_text("思考过程")
    expect(page.locator("#live .thinking")).not_to_have_attribute("open", "")
    expect(page.locator("#live .thinking p")).to_have_text("先看资料第 27 页。")
    page.keyboard.press("Escape")
    answered(page)


def test_what_turns_out_to_have_been_thoughts_moves_into_their_block(visit: OpenPage) -> None:
    page = visit()
    ask(page, "自语，慢")
    expect(page.locator("#live .prose strong")).to_have_text("第 27 页")
    expect(page.locator("#live .thinking p")).to_contain_text("先翻到 **第 27 页**。")
    expect(page.locator("#live .prose")).not_to_contain_text("27 页")
    page.locator("#live .prose:not(:empty)").wait_for()
    page.keyboard.press("Escape")
    answered(page)


def test_what_is_sent_while_an_answer_comes_does_not_grow_with_the_history(visit: OpenPage) -> None:
    page = visit()
    for number in range(4):
        exchange(page, f"第 {number} 问", number + 1)
    sizes: list[int] = []
    wire = page.context.new_cdp_session(page)
    wire.on("Network.dataReceived", lambda event: sizes.append(event["dataLength"]))
    wire.send("Network.enable")
    ask(page, "慢慢说")
    page.locator("#live .prose > div").nth(12).wait_for()
    page.keyboard.press("Escape")
    answered(page, 5)
    assert len(sizes) > 20
    assert sorted(sizes)[len(sizes) // 2] < 1500


def test_the_stage_is_told_to_those_who_listen(visit: OpenPage) -> None:
    page = visit()
    status = page.locator("#live [role=status]")
    ask(page, "慢")
    expect(status).to_have_text(re.compile("阅读资料|作答"))
    page.keyboard.press("Escape")
    answered(page)
    expect(status).to_contain_text("已停止")
    exchange(page, "错误码", 2)
    expect(status).to_have_text("回答完毕")


def test_how_an_answer_ended_is_told_once_and_not_again_when_its_conversation_is_opened(visit: OpenPage) -> None:
    page = visit()
    ask(page, "慢一点")
    page.locator("#live .prose").wait_for()
    page.get_by_role("button", name="停止").click()
    status = page.locator('#thread [role="status"]')
    expect(status).to_have_text("已停止，以上是停止前的内容。")
    page.reload()
    answered(page)
    expect(page.locator("#turns .notice")).to_contain_text("已停止")
    expect(page.locator('#turns [role="alert"]')).to_have_count(0)
    expect(status).to_have_text("")
