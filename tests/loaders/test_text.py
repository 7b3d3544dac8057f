from codecs import BOM_UTF8
from pathlib import Path

import pytest

from loaders import load
from loaders.decoding import decode
from loaders.outline import place_headings
from rag.errors import TooManyPages
from rag.types import Heading
from tests.waiting import within_cpu_seconds

TEXT = "第一条 为了规范合同，制定本法。\n高血压患者每天的食盐摄入量应当控制在5克以下。"
TRADITIONAL = "漢字與標點符號的處理，這是繁體中文。\n臺灣與香港使用這種編碼。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"])
def test_the_encoding_is_found(encoding: str) -> None:
    assert decode(TEXT.encode(encoding), "a.txt") == TEXT


def test_big5_is_found() -> None:
    assert decode(TRADITIONAL.encode("big5"), "a.txt") == TRADITIONAL


@pytest.mark.parametrize(
    "text", ["密码是123456。", "莱昂德罗", "Stam1na是", "价格：￥100元\n数量：5", "中国", "张三\n李四"]
)
def test_a_short_text_is_not_misread_as_big5(text: str) -> None:
    assert decode(text.encode("gb18030"), "a.txt") == text


@pytest.mark.parametrize("text", ["密碼是123456。", "臺灣省政府", "價格：100元\n數量：5", "總統是誰？"])
def test_a_short_text_in_big5_is_found(text: str) -> None:
    assert decode(text.encode("big5"), "a.txt") == text


def test_traditional_characters_in_a_simplified_code_are_found() -> None:
    assert decode(TRADITIONAL.encode("gb18030"), "a.txt") == TRADITIONAL


def test_a_damaged_byte_in_big5_costs_no_more_than_its_characters() -> None:
    data = (TRADITIONAL * 20).encode("big5")
    assert decode(data[:101] + data[102:], "a.txt").count("臺灣") >= 19


def test_a_long_file_is_not_misread_for_where_its_sample_ends() -> None:
    text = "a" + TRADITIONAL * 3000
    assert decode(text.encode("big5"), "a.txt") == text


def test_a_file_cut_off_within_a_character_loses_only_that() -> None:
    assert decode(TEXT.encode()[:-2], "a.txt") == TEXT[:-1]


def test_utf16_without_a_mark_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT.encode("utf-16-le"))
    assert load(path).text == TEXT


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "big5"])
def test_the_mark_of_utf_8_may_stand_before_text_in_any_encoding(encoding: str) -> None:
    text = "員工年假為十天，病假為五天。" * 3
    assert decode(BOM_UTF8 + text.encode(encoding), "a.txt").lstrip("\ufeff") == text


def test_hard_wrapped_lines_are_joined(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    sentence = "这是一段每行固定字数的文字" * 6 + "。"
    path.write_text("\n".join(sentence[index : index + 30] for index in range(0, len(sentence), 30)), encoding="utf-8")
    assert load(path).text == sentence


def test_form_feeds_part_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("第一页。\f\f第三页。", encoding="utf-8")
    assert [(page.number, page.text) for page in load(path).pages] == [(1, "第一页。"), (2, ""), (3, "第三页。")]
    with pytest.raises(TooManyPages):
        load(path, max_pages=2)


def test_markdown_headings_make_the_outline_and_code_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "# 标题\n\n正文。\n\n```\n# 注释\nx = 1\n```\n\n## 小节 ##\n| 甲 | 乙 |\n| 1 | 2 |\n", encoding="utf-8"
    )
    document = load(path)
    assert document.outline == (Heading(1, "标题", 1), Heading(2, "小节", 1))
    assert document.text == "标题\n正文。\n```\n# 注释\nx = 1\n```\n小节\n| 甲 | 乙 |\n| 1 | 2 |"


def test_a_markdown_heading_is_found_as_it_is_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "# 第一部分\n甲的内容。\n# ２．预算！！\n乙的内容。\n#  第 三 部 分\n丙。\n# \u200b\n", encoding="utf-8"
    )
    document = load(path)
    assert document.outline == (Heading(1, "第一部分", 1), Heading(1, "2.预算！", 1), Heading(1, "第三部分", 1))
    placed = [(document.text[heading.start :].split("\n")[0], heading.path) for heading in place_headings(document)]
    assert placed == [("第一部分", ("第一部分",)), ("2.预算！", ("2.预算！",)), ("第三部分", ("第三部分",))]


def test_underlined_lines_are_headings_and_front_matter_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    front = "---\ntitle: '部署指南'\ntags: [运维]\n---\n"
    path.write_text(
        f"{front}\n指南\n===\n\n正文。\n\n配置\n---\n\n- 项目\n---\n\n一句话。\n---\n\n---\n完", encoding="utf-8"
    )
    document = load(path)
    assert document.outline == (Heading(1, "指南", 1), Heading(2, "配置", 1))
    assert document.text == f"{front}指南\n正文。\n配置\n- 项目\n---\n一句话。\n---\n---\n完"


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("**第一节 安装**", "第一节 安装"),
        ("***重要*** ~~旧~~说明", "重要 旧说明"),
        ("*安装*步骤", "*安装*步骤"),
        ("*安装*", "安装"),
        ("[部署](deploy.md)与![图标](a.png)", "部署与图标"),
        ("回滚 {#rollback}", "回滚"),
        ("回滚 {#rollback .big} ##", "回滚"),
        ("<a id='x'></a>概述<br/>", "概述"),
        ("List<String> 的用法", "List<String> 的用法"),
        ("[1.2.0] - 2024-01-01", "[1.2.0] - 2024-01-01"),
        ("2*3*4 与 a ** b ** c", "2*3*4 与 a ** b ** c"),
        ("模板 {name}", "模板 {name}"),
    ],
)
def test_a_title_is_read_without_its_marks(tmp_path: Path, typed: str, title: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"## {typed}\n\n甲。", encoding="utf-8")
    document = load(path)
    assert document.outline == (Heading(2, title, 1),)
    assert document.text == f"{title}\n甲。"


def test_an_underlined_title_is_read_without_its_marks(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("[部署](a.md)的**步骤** {#steps}\n---\n\n甲。", encoding="utf-8")
    assert load(path).outline == (Heading(2, "部署的步骤", 1),)


def test_a_heading_may_lack_its_blank_where_it_has_two_hashes_or_more(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("##安装\n甲。\n###2.1 配置\n乙。\n#周末 去哪里\n##!bin\n####### 七级", encoding="utf-8")
    assert load(path).outline == (Heading(2, "安装", 1), Heading(3, "2.1 配置", 1))


def test_hashes_behind_a_blank_close_a_heading_and_others_belong_to_it(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("## 小节 ## \n## C#\n正文。", encoding="utf-8")
    assert [heading.title for heading in load(path).outline] == ["小节", "C#"]


@pytest.mark.parametrize("filler", [" ", "#", "*", "**a ", "[a](", "<a ", "{#"])
def test_a_long_heading_takes_no_time(tmp_path: Path, filler: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"# 甲{filler * 50_000}乙\n正文。", encoding="utf-8")
    with within_cpu_seconds(10):
        assert len(load(path).outline) == 1


def test_a_wrong_byte_in_utf8_costs_no_more_than_its_character() -> None:
    chinese = "问渠是一个与中文文档对话的应用。它把资料切成小段，再按向量与字词检索。\n" * 400
    for where in (9000, 25_000):
        data = chinese.encode()
        for damaged in (data[:where] + b"\xff" + data[where:], data[:where] + data[where + 1 :]):
            text = decode(damaged, "a.txt")
            assert text.count("问渠") >= 399
            assert 1 <= text.count("\ufffd") <= 3
    latin = "Wenqu reads documents; the settings file is config.yaml and it runs on a laptop. 版本\n" * 100
    data = latin.encode()
    assert decode(data[:5000] + b"\xff" + data[5000:], "a.txt").count("版本") == 100


def test_columns_and_rows_with_bars_keep_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    rows = [
        "白菜　　　三元五角　　每市斤",
        "萝卜　　　二元一角　　每市斤",
        "名称 | 取值",
        "--- | ---",
        "连接超时 | 一到六十秒",
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    assert load(path).text.split("\n") == ["白菜 三元五角 每市斤", "萝卜 二元一角 每市斤", *rows[2:]]


def test_a_markdown_table_needs_no_blanks_beside_its_bars(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("a|b\n\n参数|说明\n--|:-:\ntimeout|超时\\|等待\n|mode|\n\n`a|b`", encoding="utf-8")
    assert load(path).text.split("\n") == [
        "a|b",
        "参数 | 说明",
        "-- | :-:",
        "timeout | 超时/等待",
        "| mode |",
        "`a|b`",
    ]


def test_html_that_lays_a_text_out_is_left_out_and_other_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    kept = "用 `<br>` 换行，`List<b>` 与 Map<String, Int>，<a href='x.zip'>下载</a>。\n```\n<p>甲</p>\n```"
    laid_out = "<details>\n<summary>如何导出</summary>\n\n<p align='center'><b>进入</b>设置<br/>导出</p>\n</details>"
    path.write_text(f"{kept}\n{laid_out}", encoding="utf-8")
    assert load(path).text == f"{kept}\n如何导出\n进入设置 导出"


def test_code_keeps_its_blanks_and_marks(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    code = "```python\nif  a:\n    b = a ?? '你好！！'\n```"
    path.write_text(code, encoding="utf-8")
    assert load(path).text == code


@pytest.mark.parametrize("encoding", ["gb18030", "big5"])
def test_the_encoding_is_found_where_most_lines_are_ascii(encoding: str) -> None:
    text = "Wenqu reads documents and answers questions about them.\n" * 500 + TRADITIONAL
    assert decode(text.encode(encoding), "a.txt") == text


@pytest.mark.parametrize("telling", ["user: 张三", "dept: 人事部", "name: 王芳"])
def test_a_single_line_that_is_not_ascii_leaves_the_others_as_they_are(telling: str) -> None:
    rows = "2024-01-01 INFO started\n" * 300
    assert decode(f"{rows}{telling}\n{rows}".encode("gb18030"), "日志.txt").startswith(rows)


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("```npm install``` 用来安装依赖。\n\n# 标题", ["标题"]),
        ("````\n```\n# 注释\n```\n````\n# 标题", ["标题"]),
        ("```\n~~~\n# 注释\n```\n# 标题", ["标题"]),
        ("~~~ sh `a`\n```\n# 注释\n~~~~\n# 标题", ["标题"]),
        ("```sh\n```sh\n# 注释\n```  \n# 标题", ["标题"]),
        ("```\n# 注释", []),
    ],
)
def test_code_is_enclosed_by_marks_of_one_kind_alone_in_their_lines(
    tmp_path: Path, text: str, titles: list[str]
) -> None:
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    assert [heading.title for heading in load(path).outline] == titles


PICTURE = "data:image/png;base64," + "iVBORw0KGgo+/" * 2000 + "=="
DRAWING = "data:image/svg+xml;utf8,%3Csvg%20width='9'%3E" + "%3Cg/%3E" * 50


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (f"安装。\n\n![图1]({PICTURE})\n\n开机。", "安装。\n![图1]\n开机。"),
        (f'见[图](<{PICTURE}> "标题")。', "见[图]。"),
        (f"图。\n\n[甲]: {PICTURE}\n[乙]: <{PICTURE}> '标题'", "图。"),
        (f'<img src="{PICTURE}" alt="架构图">', '<img alt="架构图">'),
        (f'<img alt="流程" src="{DRAWING}">', '<img alt="流程">'),
        (f'body {{ background: url("{PICTURE}") }} 。', 'body { background: url("") } 。'),
        (f"![没有写完]({PICTURE}", "![没有写完]("),
    ],
)
def test_a_picture_written_as_text_is_left_out(tmp_path: Path, text: str, read: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    assert load(path).text == read


@pytest.mark.parametrize(
    "text",
    [
        "![图1](images/arch.png)",
        "[甲]: https://a.cn/data:image/png",
        "把图片写成 data:image/png;base64,iVBORw0KGgo= 的形式。",
        "data:[DONE] 表示结束。",
        "元数据(data: 2024)见附表。",
    ],
)
def test_what_only_speaks_of_data_stays(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    assert load(path).text == text


def test_a_picture_in_one_long_line_takes_no_time(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(f"[甲]({PICTURE * 40}\n开机。{'(data:a/b,' * 50_000}", encoding="utf-8")
    with within_cpu_seconds(10):
        assert "开机。" in load(path).text


@pytest.mark.parametrize(
    "entries",
    [
        [
            "北京分公司 北京市海淀区中关村大街1号",
            "上海分公司 上海市浦东新区世纪大道8号",
            "广州分公司 广州市天河区体育西路10号",
        ],
        ["API：应用程序编程接口", "SDK：应用软件开发工具", "CDN：内容分发网络服务"],
        ["姓名,部门,工资", "张三,研发部,12000", "李四,市场部,98000"],
        ["消息记录（此消息记录为文本格式，不支持重新导入）", "=" * 64, "消息分组:我的群聊", "=" * 64, "五一去哪"],
        ["春江潮水连海平 海上明月共潮生", "滟滟随波千万里 何处春江无月明", "江流宛转绕芳甸 月照花林皆似霰"],
    ],
    ids=["addresses", "glossary", "values", "drawn lines", "verse"],
)
def test_entries_of_one_length_are_no_paragraph(entries: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n".join(entries), "utf-8")
    assert load(path).text.replace(" | ", ",").split("\n") == entries


def test_sentences_wrapped_to_a_narrow_column_are_one_paragraph(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "会议讨论了下一年度的预算安排，财务人\n员也参加了会议，一致决定削减差旅费，\n而研发投入保持不变。", "utf-8"
    )
    assert load(path).text.count("\n") == 0


@pytest.mark.parametrize("text", ["data:a/{}", "(data:a/{})", "data:a/{};base64", "[甲]: data:a/{}"])
def test_a_long_word_that_begins_like_a_picture_takes_no_time(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"甲。\n{text.format('a' * 100_000)}", encoding="utf-8")
    with within_cpu_seconds(5):
        assert "data:a/aaa" in load(path).text
