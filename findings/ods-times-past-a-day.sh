#!/usr/bin/env bash
# Times past 24 hours, or below zero, in an ODS: three packages on the same Rust reader make three things of them.
# python-calamine 0.9.1 gives the text of the file, `PT25H30M00S`, where the same cell of an XLSX is a timedelta;
# fastexcel 0.21.0 gives null; and polars 2.1.0 drops the row where that was all it had. A time below 24 hours is read by
# all of them, so that the first lines of a sheet show nothing. A guess would be a timedelta, or an error.
# (Seen with Python 3.11; the sheet is written by odfdo 3.27.3 as the format has it, and LibreOffice too.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/times.py" <<'PY'
from datetime import timedelta
from importlib.metadata import version

import fastexcel
import polars
import python_calamine
from odfdo import Document, Table

TIMES = [timedelta(hours=20, minutes=15), timedelta(hours=25, minutes=30), timedelta(minutes=-5)]
book = Document("spreadsheet")
book.body.clear()
book.body.append(sheet := Table("evening"))
sheet.set_values([["at"], *([time] for time in TIMES)])
book.save("times.ods")

seen = {
    "odfdo": [sheet.get_value((0, row)) for row in (1, 2, 3)],
    "python-calamine": [row[0] for row in python_calamine.load_workbook("times.ods").get_sheet_by_index(0).to_python()[1:]],
    "fastexcel": fastexcel.read_excel("times.ods").load_sheet(0).to_polars()["at"].to_list(),
    "polars": polars.read_ods("times.ods")["at"].to_list(),
}
for package, times in seen.items():
    print(f"{package} {version(package)}: {list(map(str, times))}")
right = seen["odfdo"] == TIMES
text = seen["python-calamine"][1:] == ["PT25H30M00S", "-PT00H05M00S"]
raise SystemExit(0 if right and text and seen["fastexcel"][1:] == [None, None] and len(seen["polars"]) == 1 else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    python-calamine==0.9.1 fastexcel==0.21.0 polars==2.1.0 odfdo==3.27.3
cd "$folder" && venv/bin/python times.py
