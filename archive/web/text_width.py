"""How wide a text is in Liberation Sans, in which pictures are measured; Arial and Helvetica are as wide.

Letters that are pushed together (kerning) are not known here: a text is at most as wide as this.
"""

import unicodedata
from functools import lru_cache

REGULAR = {  # thousandths of the size
    191: "'", 222: "ijlł‘’‚", 260: "|", 278: " !,./:;I[\\]ftı·\xa0", 333: "()-`r“”„‹›", 334: "{}", 355: '"',
    365: "\u2009\u202f", 389: "*", 469: "^", 500: "Jcksvxyz", 556: "#$0123456789?L_abdeghnopquŁđ–€«»",
    584: "+<=>~−×", 611: "FTZßø", 667: "&ABEKPSVXY", 722: "CDHNRUw", 778: "GOQØ", 833: "Mm", 889: "%æ",
    944: "Wœ", 1000: "ÆŒ—…→←", 1015: "@",
}  # fmt: skip
BOLD = {
    238: "'", 278: " ,./I\\ijlłı‘’‚·\xa0", 280: "|", 333: "!()-:;[]`ft‹›", 365: "\u2009\u202f", 389: "*r{}", 474: '"',
    500: "z“”„", 556: "#$0123456789J_aceksvxy–€«»", 584: "+<=>^~−×", 611: "?FLTZbdghnopqußøŁđ", 667: "EPSVXY",
    722: "&ABCDHKNRU", 778: "GOQwØ", 833: "M", 889: "%mæ", 944: "Wœ", 975: "@", 1000: "ÆŒ—…→←",
}  # fmt: skip


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text; a sign that other fonts have counts as rather too wide than too narrow."""
    return size * sum(_sign_width(sign, bold) for sign in text) / 1000


@lru_cache(4096)
def _sign_width(sign: str, bold: bool) -> int:
    """Return the width of a sign in thousandths of the size; a letter with an accent is as wide as without."""
    if unicodedata.category(sign) in ("Mn", "Cf", "Me"):
        return 0
    base = unicodedata.normalize("NFD", sign)[0]
    usual = 1100 if unicodedata.east_asian_width(sign) in "WF" else 1000 if ord(base) >= 0x250 else 780
    return next((width for width, signs in (BOLD if bold else REGULAR).items() if base in signs), usual)
