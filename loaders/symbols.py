"""Signs that are stored as other characters than they show: those of Word's symbol fonts, and parts of hanzi."""

_SYMBOL = (
    dict(
        enumerate(
            " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼", 0x20
        )
    )
    | dict(enumerate("€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪", 0xA0))
    | dict(enumerate("⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭", 0xF1))
)
# Of Wingdings.
_BULLETS = {
    0x6C: "●",
    0x6E: "■",
    0x6F: "□",
    0x75: "◆",
    0x76: "❖",
    0xA7: "▪",
    0xA8: "□",
    0xD8: "➢",
    0xFB: "×",
    0xFC: "√",
    0xFD: "☒",
    0xFE: "☑",
}
BY_FONT = {
    "Wingdings": _BULLETS | {0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "→", 0xEF: "⇦", 0xF0: "⇨"},
    "Wingdings 2": {0x4F: "×", 0x50: "√", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "□"},
    # As MathType sets dots of a matrix.
    "MT Extra": {0x4B: "…", 0x4C: "⋯", 0x4D: "⋮", 0x4E: "⋰", 0x4F: "⋱", 0x68: "ℏ", 0x6C: "ℓ"},
    "Symbol": _SYMBOL,
}
# The pieces of tall brackets, which Adobe's names of characters put among the private ones.
BRACKETS = {chr(0xF8EB + index): piece for index, piece in enumerate("⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭")}
# A PDF's text does not say the font: what bullets and ticks are most often set in.
IN_PDF = {chr(0xF000 + byte): sign for byte, sign in _BULLETS.items()} | {"\uf0b7": "•"}
# A font has one glyph for 风 and for the part of characters ⻛, and the PDFs that browsers and Macs make of it tell the
# latter: ⻛险, ⻓期, ⻔店. Unicode's Equivalent_Unified_Ideograph; its compatibility forms have but two of these.
PARTS_OF_HANZI = str.maketrans(
    "⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺"
    "⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳",
    "厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀"
    "聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟",
)
