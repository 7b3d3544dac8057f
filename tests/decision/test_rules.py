"""Which questions need evidence, which do with what is in hand, and which need none."""

from dataclasses import fields, replace

import pytest

from rag import i18n
from rag.decision.base import Material, Situation
from rag.decision.rules import RulesDecider, Weights, plain_case, shipped_weights
from rag.decision.signals import Signals, speaks_of_something_else
from rag.language import words
from rag.types import Decision

EARLIER = (("员工手册规定的年假有几天？", "年假为十天。"),)
LEAVE = Material("handbook", ("员工手册", "休假"), "年假为十天，当年有效。病假为五天，须有医院证明。", 8.0)
TRAVEL = Material("handbook", ("员工手册", "差旅"), "住宿每晚不超过四百元，凭发票报销。", 9.0)
PRIZES = Material("report", ("年度报告", "营业收入"), "营业收入为一亿元。", 9.0)


def decide(question: str, *elsewhere: Material, in_hand: tuple[Material, ...] = (LEAVE,)) -> Decision:
    return RulesDecider().decide(Situation(question, EARLIER, in_hand, elsewhere)).decision


@pytest.mark.parametrize(
    "question",
    [
        "谢谢",
        "好的，谢谢你！",
        "你好",
        "嗯嗯",
        "明白了",
        "thanks!",
        "辛苦啦~",
        "谢谢，很清楚。",
        "讲得很清楚",
        "哦，原来如此",
        "原来是这样啊",
        "好的……",
        "我明白了",
    ],
)
def test_small_talk_needs_no_evidence(question: str) -> None:
    assert decide(question) is Decision.NO_RETRIEVE
    assert RulesDecider().decide(Situation(question)).decision is Decision.NO_RETRIEVE


@pytest.mark.parametrize(
    "question",
    [
        "把你上面说的总结成两句话。",
        "刚才的回答再精简一下",
        "Summarize what you said above",
        "总结一下我们之前聊的",
        "请概括以上内容",
        "把上面的翻译成英文",
        "归纳前面提到的几点",
        "把这次对话总结一下吧",
        "概括以上三点",
        "再说一遍之前的结论",
        "Translate the above into Chinese",
        "以上请总结",
        "翻译这句",
    ],
)
def test_a_request_about_the_conversation_needs_no_evidence(question: str) -> None:
    assert decide(question) is Decision.NO_RETRIEVE


@pytest.mark.parametrize(
    "question",
    [
        "请总结工龄十年以上员工的年假规定",
        "总结一下入职之前需要准备哪些材料",
        "归纳第三章前面的实验步骤",
        "概括聊城分公司的职责",
        "总结我们说明书里的步骤",
        "概括这份文件讲的是什么",
        "总结以上海为总部的公司",
        "概括之前三年的营业收入",
        "总结对话系统的实现原理",
        "概括刚刚入职的员工要办的手续",
        "Summarize the rules for staff above grade ten",
        "总结一下我刚才上传的文件",
        "概括我刚才传的合同",
        "把刚才上传的论文翻译成中文",
        "概括上述合同的要点",
    ],
)
def test_a_request_about_the_documents_is_not_taken_for_one_about_the_conversation(question: str) -> None:
    plain = plain_case(question, has_history=True, in_hand=False)
    assert plain is None or plain.decision is Decision.RETRIEVE


@pytest.mark.parametrize(
    "question",
    [
        "第12页讲了什么？",
        "那第三章呢？",
        "下一页呢",
        "前言写了什么？",
        "总结一下这份文件",
        "这两份报告的主要内容是什么？",
        "What does page 3 say?",
    ],
)
def test_what_names_a_place_in_the_documents_is_read_there_whatever_is_in_hand(question: str) -> None:
    verdict = plain_case(question, has_history=True, in_hand=True)
    assert verdict and verdict.decision is Decision.RETRIEVE


@pytest.mark.parametrize("question", ["总结一下", "总结一下你刚才说的第三章", "主要内容是什么？", "有哪些章节？"])
def test_what_may_mean_the_talk_is_not_taken_for_a_whole_document(question: str) -> None:
    verdict = plain_case(question, has_history=True, in_hand=True)
    assert verdict is None or verdict.decision is not Decision.RETRIEVE


@pytest.mark.parametrize(
    "question", ["给我讲个笑话吧。", "写一首诗", "你能唱首歌吗？", "好的，那讲个故事给我听吧", "Please tell me a joke!"]
)
def test_what_is_to_be_made_up_needs_no_evidence(question: str) -> None:
    assert decide(question) is Decision.NO_RETRIEVE
    assert RulesDecider().decide(Situation(question)).decision is Decision.NO_RETRIEVE


@pytest.mark.parametrize(
    "question",
    [
        "这部小说故事发生在哪个年代？",
        "李白写诗的风格有什么特点？",
        "谁创作歌曲《茉莉花》？",
        "他第一次写作文是什么时候？",
        "主题曲由谁创作歌词？",
        "写作文的要点",
        "根据第三章写一个故事",
        "写一首诗，内容取自这份手册",
    ],
)
def test_a_question_about_songs_and_stories_is_searched_for(question: str) -> None:
    verdict = RulesDecider().decide(Situation(question))
    assert (verdict.decision, verdict.reason.key) == (Decision.RETRIEVE, "decision.first_question")


@pytest.mark.parametrize(
    "question", ["总结一下年假的规定", "帮我概括病假的规定", "归纳一下我的年假", "Summarize 年假 and 病假"]
)
def test_what_sums_up_something_that_documents_tell_is_a_question_to_them(question: str) -> None:
    assert decide(question, TRAVEL) is not Decision.NO_RETRIEVE
    assert decide(question, TRAVEL, in_hand=()) is Decision.RETRIEVE


@pytest.mark.parametrize("question", ["真是太好了，我们公司不错！", "哦，那我就放心了。"])
def test_a_remark_needs_no_evidence(question: str) -> None:
    assert decide(question) is Decision.NO_RETRIEVE


@pytest.mark.parametrize("question", ["那病假呢？", "病假有几天？", "它什么时候过期？", "需要医院证明吗？", "病假天数"])
def test_a_follow_up_that_the_evidence_in_hand_covers_reuses_it(question: str) -> None:
    assert decide(question, TRAVEL) is Decision.REUSE


@pytest.mark.parametrize(
    "question", ["住宿报销的标准是多少？", "换个话题，营业收入是多少？", "帮我找一家300元以下的酒店"]
)
def test_a_question_that_other_passages_answer_is_searched_for(question: str) -> None:
    assert decide(question, TRAVEL, PRIZES) is Decision.RETRIEVE


@pytest.mark.parametrize(
    "question", ["谢谢，那年假有几天？", "总结这份资料的要点", "好的产品有哪些标准？", "把上面的内容总结一下"]
)
def test_a_first_question_with_content_is_searched_for(question: str) -> None:
    verdict = RulesDecider().decide(Situation(question))
    assert (verdict.decision, verdict.reason.key) == (Decision.RETRIEVE, "decision.first_question")


@pytest.mark.parametrize("question", ["那病假呢？", "它什么时候过期？", "为什么？"])
def test_nothing_is_reused_where_nothing_is_in_hand(question: str) -> None:
    assert decide(question, in_hand=()) is not Decision.REUSE


def test_certainty_is_the_probability_of_the_decision() -> None:
    bias = {Decision.RETRIEVE: 1.0, Decision.REUSE: 1.0, Decision.NO_RETRIEVE: 0.0}
    decider = RulesDecider(Weights(bias, {"asks": dict.fromkeys(Decision, 0.0)}))
    without_evidence = decider.decide(Situation("病假呢？", EARLIER))
    assert without_evidence.decision is Decision.RETRIEVE
    assert without_evidence.certainty == pytest.approx(0.7311, abs=1e-4)
    assert decider.decide(Situation("病假呢？", EARLIER, (LEAVE,))).certainty == pytest.approx(0.4223, abs=1e-4)


def test_the_reason_is_the_signal_that_says_most() -> None:
    reason = RulesDecider().decide(Situation("年度报告的营业收入是多少？", EARLIER, (LEAVE,), (PRIZES,))).reason
    assert reason.key == "decision.signal.names_elsewhere"


@pytest.mark.parametrize(
    ("question", "in_hand", "reason"),
    [
        ("怎么办理？", (LEAVE,), (Decision.REUSE, "asks_in_hand")),
        ("怎么办理？", (), (Decision.RETRIEVE, "asks")),
        ("可以吗？", (LEAVE,), (Decision.REUSE, "covered")),
        ("好的，那什么时候有效", (LEAVE,), (Decision.REUSE, "asks_in_hand")),
    ],
)
def test_the_reason_speaks_for_the_decision_and_for_no_other(
    question: str, in_hand: tuple[Material, ...], reason: tuple[Decision, str]
) -> None:
    verdict = RulesDecider().decide(Situation(question, EARLIER, in_hand, (PRIZES,)))
    assert (verdict.decision, verdict.reason.key.removeprefix("decision.signal.")) == reason


def test_where_no_signal_speaks_the_reason_says_so() -> None:
    bias = {Decision.RETRIEVE: 1.0, Decision.REUSE: 0.0, Decision.NO_RETRIEVE: 0.0}
    decider = RulesDecider(Weights(bias, {"seeks": dict.fromkeys(Decision, 0.0)}))
    assert decider.decide(Situation("病假呢？", EARLIER)).reason.key == "decision.signal.none"


def test_every_signal_has_its_weights_and_its_sentence() -> None:
    names = {field.name for field in fields(Signals)}
    assert shipped_weights().signals.keys() == names
    sentences = {f"decision.signal.{name}" for name in (*names, "none", "margin_against", "asks_in_hand")}
    assert sentences <= i18n.catalogue(i18n.Language.ZH).keys()


@pytest.mark.parametrize("question", ["青海湖的门票多少钱？", "氨氯地平有什么副作用？"])
def test_a_change_of_topic_that_nothing_announces_is_searched_for(question: str) -> None:
    held = Material("手册", ("员工手册", "休假"), "员工每年有十天年假，病假五天，须在当年休完。", 60.0)
    situation = Situation(question, (("年假有几天？", "十天[1]。"),), (held,))
    assert RulesDecider().decide(situation).decision is Decision.RETRIEVE


def test_a_pronoun_keeps_to_what_is_in_hand_whatever_else_has_its_words() -> None:
    held = Material("歌手", ("齐秦",), "齐秦是歌手，代表作有外面的世界。", 60.0)
    for question in ("它在哪一年获奖？", "前一位唱过什么？"):
        assert not speaks_of_something_else(Situation(question, (("齐秦是谁？", "歌手[1]。"),), (held,)))


@pytest.mark.parametrize(
    "request_",
    [
        "用表格列出来",
        "展开讲讲",
        "简单说说",
        "真的吗？",
        "你确定？",
        "举个例子",
        "然后呢",
        "我没看懂",
        "来源是哪一页",
        "把这个内容改成表格",
        "把上面的内容整理成表格",
        "Turn it into a table",
        "Convert your last answer into a list",
        "多说一些",
        "再多说点",
        "长一点",
        "太笼统了",
        "不够详细",
        "Tell me more",
        "Can you elaborate?",
        "Anything else?",
        "Explain it in more detail",
    ],
)
def test_a_request_about_the_last_answer_is_met_from_what_is_in_hand(request_: str) -> None:
    verdict = plain_case(request_, has_history=True, in_hand=True)
    assert verdict is not None and verdict.decision is Decision.REUSE


@pytest.mark.parametrize(
    "request_",
    [
        *"""
    总结一下 总结成三点 用英文回答 翻译成英文 用一句话概括 再说一遍 请再说一遍好吗 再说一次 再回答一次 重复一遍 短一点
    再短些 说短一点 太长了 分点说 分条列出 说人话 说大白话 用口语说 用两句话说 缩短到一句话 一百字以内 说重点 精炼一点
    上一个问题的答案是什么 你上一条回答有错吗 刚才的回答对吗 把上面的总结翻译成英文 把刚才的回答改成三句话 梳理一下
    这个回答精简一下 把答案翻译成日语 把这段话润色一下 上面的内容太长了 把它翻译成法文 把最后的回答改写一下
    我刚才的第一个问题是什么 上一个问题是什么？ 谢谢😊 👍 謝謝！ 你好吗？ 换个话题 我刚才问了什么？ 我们刚才聊了什么
    回到第一个问题 總結一下你剛才說的 把前面关于年假的回答概括成一句话 翻譯成英文 你能做什么？
    """.split(),  # noqa: SIM905 - as they read
        "What did you just say?",
        "hello, how are you?",
        "say that again in Chinese",
    ],
)
def test_talk_and_the_last_answer_in_other_words_need_no_evidence(request_: str) -> None:
    verdict = plain_case(request_, has_history=True, in_hand=True)
    assert verdict is not None and verdict.decision is Decision.NO_RETRIEVE


@pytest.mark.parametrize(
    "question",
    [
        *"""
    具体位置在哪？ 完整性约束有哪些？ 英文摘要在哪？ 简单多项式是什么？ 有什么例子？ 重复报销怎么处理？ 重复使用吗？
    短期借款 能短一点吗？ 有短一点的套餐吗？ 分点营业时间 白话文 再交一次钱吗？ 洗一遍要多久？ 一次 三个字的品牌
    缩短到一年 口语考试 重点项目 太长了怎么办？ 回答错了扣几分？ 多说一句话会怎样？ 多交一些可以吗？ 重讲要钱吗？
    上一个问题没解决怎么办？ 前面的条款 总结一下对乙方不利的条款 概括年假的规定 归纳甲方的义务 翻译违约责任
    把报销制度改成表格 详细内容 具体结果是什么？ 检验结果 改签怎么办？ 变成什么颜色？ 转成正式员工要多久？
    第二个问题是什么？ 再查一下错误码的长度 换个话题，年假有几天？ 刚才说的错误码有几位？ 不是所有错误码都有编号吗？
    继续教育有哪些要求？ 接着要做什么？ 合同到期后可以继续吗？
    """.split(),  # noqa: SIM905
        "continue 语句怎么用？",
    ],
)
def test_a_question_with_such_a_word_and_others_is_weighed(question: str) -> None:
    assert plain_case(question, has_history=True, in_hand=True) is None


@pytest.mark.parametrize(
    "question",
    ["你是谁？", "你叫什么名字", "你用的是什么模型？", "你是DeepSeek吗", "你是不是通义千问？", "who are you?"],
)
def test_who_answers_is_no_matter_for_the_documents(question: str) -> None:
    verdict = plain_case(question, has_history=False, in_hand=False)
    assert verdict is not None and verdict.reason.key == "decision.about_me"


HELD = Material("手册", ("错误码",), "错误码为五位字符串，分成错误来源和编号。", 60.0)
ASKED = (("错误码的格式是怎样的？", "五位字符串[1]。"),)


@pytest.mark.parametrize("question", ["蓝牙断了以后怎么重连", "今天天气怎么样？", "那日志呢", "What is RAG?"])
def test_what_is_in_hand_does_not_answer_a_question_none_of_whose_words_it_has(question: str) -> None:
    verdict = RulesDecider().decide(Situation(question, ASKED, (HELD,)))
    assert (verdict.decision, verdict.reason.key) == (Decision.RETRIEVE, "decision.not_covered")


@pytest.mark.parametrize("question", ["设备绑定的步骤", "索引的命名规则", "日志的保存时间"])
def test_a_noun_with_its_attribute_asks_for_it(question: str) -> None:
    assert RulesDecider().decide(Situation(question, ASKED, (HELD,))).decision is Decision.RETRIEVE


@pytest.mark.parametrize(
    "question",
    [
        "重新查一下",
        "再搜一次",
        "不对，你再找找",
        "刚才的不对，重新查",
        "不是，我问的是日志",
        "你搞错了，我要的是保存时间",
    ],
)
def test_who_wants_another_search_gets_one(question: str) -> None:
    verdict = plain_case(question, has_history=True, in_hand=True)
    assert verdict is not None and verdict.decision is Decision.RETRIEVE


def test_traditional_characters_are_decided_on_like_simplified_ones() -> None:
    decider = RulesDecider()
    pairs = [("那它有幾位？", "那它有几位？"), ("錯誤碼的來源有哪些？", "错误码的来源有哪些？")]
    for traditional, simplified in pairs:
        one, other = (decider.decide(Situation(text, ASKED, (HELD,))) for text in (traditional, simplified))
        assert one == other


def test_a_question_that_names_another_passage_is_known_to_say_what_it_is_about() -> None:
    logs = Material("手册", ("日志规约",), "日志文件至少保存十五天。", 50.0)
    verdict = RulesDecider().decide(Situation("那日志规约有哪些要求？", ASKED, (HELD,), (logs,)))
    assert verdict.decision is Decision.RETRIEVE and verdict.names_subject


@pytest.mark.parametrize(
    ("message", "tells"),
    [
        ("我叫小明，住在上海浦东。", True),
        ("你好，我是新来的实习生", True),
        ("I'm Tom.", True),
        ("My name is Tom.", True),
        ("My name is Tom. How many days of leave are there?", False),
        ("I'm looking for the rules on annual leave", False),
        ("我是来咨询报销流程的", False),
        ("我叫什么名字", False),
        ("我是新员工，年假有几天", False),
        ("我是乙方，可以提前退租吗", False),
        ("我是说去年的", False),
        ("我想知道年假", False),
        ("我今年二十五岁", True),
        ("我住上海", True),
        ("我今年的年假天数", False),
        ("我们公司今年的营业收入", False),
        ("我住宿费报销标准", False),
        ("我们单位住房公积金缴存比例", False),
        ("我是新员工，年假天数", False),
        ("我是人事专员，负责薪酬制度", False),
        ("我是乙肝患者，最近肝区有点疼", False),
        ("我是丙肝患者在给孩子打疫苗时扎到了手会传染给孩子", False),
        ("我是李雷，住在北京，今年三十岁", True),
        ("我姓名变更流程", False),
        ("我是女职工，想申请产假", False),
        ("我是甲方，想解除合同", False),
        ("我是租客，要提前退租", False),
        ("我叫李雷，需要开收入证明", False),
        ("我是退休职工，现在能领取补贴", False),
        ("我叫李雷，希望多多关照", True),
        ("我叫李雷，希望以后多多关照", True),
        ("我是新员工，希望尽快办理入职", False),
        ("我是孕妇，需要产假", False),
        ("我是程序员，想经常出差", False),
        ("我是新来的实习生，想认识大家", True),
        ("我今年上大三", True),
        ("我今年上半年的奖金标准", False),
        ("我今年大病医保报销比例", False),
    ],
)
def test_what_only_tells_of_its_speaker_is_not_searched_for(message: str, tells: bool) -> None:
    verdict = plain_case(message, has_history=False, in_hand=False)
    assert verdict is not None
    assert (verdict.decision is Decision.NO_RETRIEVE) is tells


@pytest.mark.parametrize(
    ("asked", "told", "knows"),
    [
        ("我叫什么名字？", "我叫小明，住在上海浦东。", True),
        ("那你还记得我是谁吗？", "我叫小明，住在上海浦东。", True),
        ("我住在哪里", "我叫小明，住在上海浦东。", True),
        ("我住哪个区？", "我叫小明，住在上海浦东。", True),
        ("我是哪里人？", "我来自上海。", True),
        ("我今年多大了？", "我今年三十岁。", True),
        ("What is my name?", "My name is Tom.", True),
        ("我叫什么名字？", "年假有几天？", False),
        ("我住的酒店能报多少？", "我叫小明，住在上海浦东。", False),
        ("我是谁的监护人？", "我叫小明，住在上海浦东。", False),
    ],
)
def test_who_the_reader_is_is_known_from_what_they_told_alone(asked: str, told: str, knows: bool) -> None:
    verdict = plain_case(asked, has_history=True, in_hand=True, told=("你好", told))
    assert (verdict is not None and verdict.decision is Decision.NO_RETRIEVE) is knows


@pytest.mark.parametrize("question", ["要多少盐？", "税怎么交？", "坐什么车？", "领什么卡"])
def test_what_is_in_hand_does_not_answer_a_question_whose_one_noun_is_a_character_that_it_lacks(question: str) -> None:
    assert RulesDecider().decide(Situation(question, ASKED, (HELD,))).decision is Decision.RETRIEVE
    salted = replace(HELD, text="盐、税、车和卡见第三章。")
    assert not speaks_of_something_else(Situation(question, ASKED, (salted,)))


@pytest.mark.parametrize("question", ["多少钱？", "有几个人？", "贵吗？", "要几天？", "它的盐呢？"])
def test_what_may_be_asked_of_anything_names_no_other_matter(question: str) -> None:
    assert not speaks_of_something_else(Situation(question, ASKED, (HELD,)))


@pytest.mark.parametrize("question", ["你确定吗？", "你没看错吧", "Are you sure?"])
def test_who_doubts_that_there_is_no_answer_has_it_searched_for_again(question: str) -> None:
    verdict = plain_case(question, has_history=True, in_hand=True, refused=True)
    assert verdict and verdict.decision is Decision.RETRIEVE
    answered = plain_case(question, has_history=True, in_hand=True)
    assert answered is None or answered.decision is not Decision.RETRIEVE


@pytest.mark.parametrize("question", ["有几薪", "一盒有几粒", "分几期还", "有几间会议室", "满几斤包邮"])
def test_what_asks_for_a_number_of_anything_asks(question: str) -> None:
    assert words.ASKS.search(words.plainly(question)) is not None
