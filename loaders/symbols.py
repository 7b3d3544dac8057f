"""The signs of Word's symbol fonts, stored as characters that mean nothing elsewhere: alike in every kind of file."""

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
