"""The invented evening with names that are hard to show on a page: as long as a line, in pictures, written from the
right, with invisible joiners."""

from support.web_archive import EVENING

LONG = "Wolfeschlegelsteinhausenbergerdorffberge"  # 40 letters and no blank
FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u200d\N{BOY}\N{WOMAN}\u200d\N{ROCKET}"
ARABIC = "\u062c\u0645\u0627\u0644 \u0627\u0644\u062f\u064a\u0646"
HEBREW = "\u05e9\u05dc\u05de\u05d4"
PERSIAN = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"
ODD = {"Anna": LONG, "Ben": FAMILY, "Cem": ARABIC, "Dora": HEBREW, "Emil": PERSIAN}


def odd_evening() -> str:
    """Return the evening as a file of records."""
    text = EVENING.read_text("utf-8")
    for name, odd in ODD.items():
        text = text.replace(name, odd)
    return text
