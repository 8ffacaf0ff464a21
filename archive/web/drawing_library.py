"""vl_convert, the library that draws, with its own font before those of the machine.

It opens and maps the file of a font again for each letter that it measures or draws, 0.1 ms a letter; a tenth of that
for the font that is part of it, Liberation Sans, which is in memory. On a machine that has this font as a file, the
file would come first: therefore its fonts are loaded last, for the signs that the library's own font lacks.
"""

import os
from functools import cache
from pathlib import Path
from threading import Lock
from types import ModuleType

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
            vl_convert.register_font_directory(str(Path(folder).expanduser()))
    finally:
        os.environ.pop(FONTCONFIG)
        os.environ |= {} if before is None else {FONTCONFIG: before}
    return vl_convert
