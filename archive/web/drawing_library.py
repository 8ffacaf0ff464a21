"""vl_convert, the library that draws, with its own font before those of the machine.

It opens and maps the file of a font again for each letter that it measures or draws, 0.1 ms a letter; a tenth of that
for the font that is part of it, Liberation Sans, which is in memory. On a machine that has this font as a file, the
file would come first: therefore its fonts are loaded last, for the signs that the library's own font lacks.

How wide a text is in Liberation Sans, Arial or Helvetica is known here without the library. Letters that are pushed
together (kerning) are not known: a text is at most as wide as this.
"""

import os
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock
from types import ModuleType

from archive.resources import expand_home

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


NO_FONTS = Path(__file__).with_name("no_fonts.conf")
FONTCONFIG = "FONTCONFIG_FILE"  # where the library reads which folders have fonts, on Linux
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")

_loading = Lock()


def load_vl_convert() -> ModuleType:
    """Return the library. Loading takes half a second the first time; therefore it is loaded only if something is
    drawn."""
    with _loading:
        return _load_vl_convert()


@cache
def _load_vl_convert() -> ModuleType:
    import vl_convert

    before = os.environ.get(FONTCONFIG)
    os.environ[FONTCONFIG] = str(NO_FONTS)
    try:
        for folder in FOLDERS:  # the first loads the library's font
            vl_convert.register_font_directory(str(expand_home(folder)))
    finally:
        os.environ.pop(FONTCONFIG)
        os.environ |= {} if before is None else {FONTCONFIG: before}
    return vl_convert
