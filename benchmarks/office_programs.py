"""One evening of twelve deals, saved by LibreOffice and Gnumeric in each format that they have: the same deals?

    python benchmarks/office_programs.py    needs `soffice` and `ssconvert` (Debian: libreoffice-calc-nogui, gnumeric)

Prints a row a file; the exit status is 1 if one is read differently from the XLSX that they were saved from.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from measured import folder_for_files
from msgspec.structs import replace
from tabulate import tabulate

from archive.cli.inputs import open_file
from archive.cli.unpack import unpack_file
from archive.record import Deal

EVENING = Path(__file__).parent.parent / "tests" / "importers" / "workbooks" / "twelve.xlsx"
OF_LIBREOFFICE = ("xlsx", "xlsm", "ods", "fods", "xls", "html", "csv")
OF_GNUMERIC = {
    "Gnumeric_XmlIO:sax": "gnumeric", "Gnumeric_Excel:xlsx": "xlsx", "Gnumeric_Excel:xlsx2": "xlsx",
    "Gnumeric_Excel:excel_biff8": "xls", "Gnumeric_Excel:excel_biff7": "xls", "Gnumeric_OpenCalc:odf": "ods",
    "Gnumeric_OpenCalc:openoffice": "ods", "Gnumeric_html:html40": "html", "Gnumeric_html:xhtml": "html",
    "Gnumeric_stf:stf_csv": "csv",
}  # fmt: skip


def deals_of(path: Path) -> list[Deal]:
    """Return the deals of a file as it is opened, without their places."""
    items = [item for raw in unpack_file(path.name, path.read_bytes()) for item in open_file(raw, None).items()]
    return [replace(item, source=None) for item in items if isinstance(item, Deal)]


def saved_files(folder: Path) -> list[tuple[str, str, Path]]:
    """Return program, format and path of each file that was saved."""
    files = []
    for kind in OF_LIBREOFFICE:
        place = folder / f"libreoffice-{kind}"
        call("soffice", "--headless", "--convert-to", kind, "--outdir", place, EVENING)
        files.append(("LibreOffice", kind, place / f"twelve.{kind}"))
    for kind, ending in OF_GNUMERIC.items():
        path = folder / f"{kind.replace(':', '-')}.{ending}"
        call("ssconvert", "--export-type", kind, EVENING, path)
        files.append(("Gnumeric", kind, path))
    return files


def call(*words: str | Path) -> None:
    subprocess.run(words, check=True, capture_output=True, timeout=120)


def main() -> int:
    if lacking := [name for name in ("soffice", "ssconvert") if not shutil.which(name)]:
        print(f"not installed: {', '.join(lacking)}")
        return 2
    expected = deals_of(EVENING)
    with folder_for_files() as folder:
        rows = [(program, kind, deals_of(path)) for program, kind, path in saved_files(folder)]
    same = [(program, kind, len(deals), "yes" if deals == expected else "NO") for program, kind, deals in rows]
    print(tabulate(same, headers=("Saved by", "as", "deals", "the same")))
    return int(any(row[-1] != "yes" for row in same))


if __name__ == "__main__":
    sys.exit(main())
