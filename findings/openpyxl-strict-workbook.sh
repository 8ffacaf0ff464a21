#!/usr/bin/env bash
# A workbook of Strict Open XML (ISO/IEC 29500 Strict, which Excel offers beside its usual .xlsx) in openpyxl 3.1.5: it is
# opened without an error and has no worksheets, so that a loop over them reads an empty book; a UserWarning about "an
# invalid specification for 0" is all that is said. python-calamine 0.9.1 reads the cells. The parts are those of an
# ordinary workbook, in the namespaces of the strict form. A guess would be the cells, or an error.
# (Seen with Python 3.11.)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/strict.py" <<'PY'
import warnings
import zipfile
from importlib.metadata import version

import openpyxl
import python_calamine

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SHEETS = "http://purl.oclc.org/ooxml/spreadsheetml/main"
OFFICE = "http://purl.oclc.org/ooxml/officeDocument/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{KIND}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{KIND}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}" conformance="strict">'
    '<sheets><sheet name="evening" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEETS}"><sheetData><row r="1">'
    '<c r="A1"><v>20</v></c><c r="B1"><v>-20</v></c></row></sheetData></worksheet>',
}
with zipfile.ZipFile("strict.xlsx", "w") as book:
    for name, text in PARTS.items():
        book.writestr(name, HEAD + text)

with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    names = openpyxl.load_workbook("strict.xlsx").sheetnames
cells = python_calamine.load_workbook("strict.xlsx").get_sheet_by_name("evening").to_python()
print(f"openpyxl {version('openpyxl')}: worksheets {names}; warned: {[str(each.message) for each in warned]}")
print(f"python-calamine {version('python-calamine')}: {cells}")
raise SystemExit(0 if names == [] and cells == [[20.0, -20.0]] else 1)
PY
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-compile --disable-pip-version-check openpyxl==3.1.5 python-calamine==0.9.1
cd "$folder" && venv/bin/python strict.py
