"""Signs that are stored as other characters than they show: those of Word's symbol fonts, and parts of hanzi."""

BY_FONT = {
    "Wingdings": {
        0x6C: "●",
        0x6E: "■",
        0x6F: "□",
        0x75: "◆",
        0xA7: "▪",
        0xA8: "□",
        0xD8: "➢",
        0xFB: "×",
        0xFC: "√",
        0xFD: "☒",
        0xFE: "☑",
    },
    "Wingdings 2": {0x4F: "×", 0x50: "√", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "□"},
    "Symbol": {
        0x57: "Ω",
        0x6D: "μ",
        0xA3: "≤",
        0xB0: "°",
        0xB1: "±",
        0xB3: "≥",
        0xB4: "×",
        0xB7: "•",
        0xB8: "÷",
        0xB9: "≠",
    },
}
# A PDF's text does not say the font: what bullets and ticks are most often set in.
IN_PDF = {chr(0xF000 + byte): sign for byte, sign in BY_FONT["Wingdings"].items()} | {"\uf0b7": "•"}
# A font has one glyph for 风 and for the part of characters ⻛, and the PDFs that browsers and Macs make of it tell the
# latter: ⻛险, ⻓期, ⻔店. Unicode's Equivalent_Unified_Ideograph; its compatibility forms have but two of these.
PARTS_OF_HANZI = str.maketrans(
    "⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺"
    "⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳",
    "厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀"
    "聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟",
)
