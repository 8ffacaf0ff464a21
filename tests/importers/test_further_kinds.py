"""Sheets, notes, chats and files of further kinds, as secretaries and pub evenings make them, through the door of a
command: each is read as it is meant, or asked about; nothing is misread in silence."""

import hashlib
import io
import tomllib
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest
from openpyxl.styles import Font

from archive.cli.inputs import files_with_progress
from archive.record import Deal, Finding, Session

FOLDER = Path(__file__).parent / "further_kinds"
FILES = ("kinds", "put_aside")
CASES: dict[str, dict[str, Any]] = {
    name: case for file in FILES for name, case in tomllib.loads((FOLDER / f"{file}.toml").read_text("utf-8")).items()
}
FOUR = "Vroni Korbi Leni Wastl"
COMMON = {
    "A": "20 -20 20 -20\n-50 150 -50 -50\n30 30 -30 -30\n-40 40 40 -40\n60 60 60 -180",
    "TENTH": "2 -2 2 -2\n-5 15 -5 -5\n3 3 -3 -3\n-4 4 4 -4\n6 6 6 -18",
}
COMMON |= {f"A{count}": "\n".join(COMMON["A"].split("\n")[:count]) for count in (2, 3, 4)}  # its first deals
REASONS = ("why", "what", "expected")  # facts that say it in words
ON_SHEET = "importers.on-sheet"  # a reason within the name of its worksheet
SILENT = {"unknown-column"}  # findings that ask nothing about a row

Amounts = list[list[int | None]]


class Answer(NamedTuple):
    """What is made of a file: `read`, `part`, `asked`, `wrong`; the amounts of each evening, the days, the findings."""

    verdict: str
    evenings: list[Amounts]
    days: list[str | None]
    findings: list[Finding]


def written(case: dict[str, Any], folder: Path) -> Path:
    """The file of a case, abend.csv where it has no name of its own."""
    path = folder / case.get("file", "abend.csv")
    text = case["text"].removeprefix("\n")
    if path.suffix not in (".xlsx", ".ods"):
        path.write_text(text, "utf-8")
        return path
    rows = [line.replace("⏎", "\n").split("|") for line in text.splitlines()]
    if path.suffix == ".ods":
        path.write_bytes(coloured_open_document(rows, set(case["red"])))
        return path
    book = openpyxl.Workbook()
    for row, cells in enumerate(rows, 1):
        for column, cell in enumerate(cells, 1):
            number = cell.lstrip("-").isdecimal()
            place = book.active.cell(row, column, int(cell) if number else cell or None)
            place.number_format = case.get("format", "General") if number else "General"
            if place.coordinate in case.get("red", ()):
                place.font = Font(color="FFFF0000")
    for area in case.get("merge", ()):
        book.active.merge_cells(area)
    data = io.BytesIO()
    book.save(data)
    path.write_bytes(data.getvalue())
    return path


def coloured_open_document(rows: list[list[str]], red: set[str]) -> bytes:
    """The rows as an ODS as LibreOffice writes it, the cells named in `red` in a red style."""
    names = ("office", "table", "text", "style")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    style = '<style:style style:name="red" style:family="table-cell">'
    style += '<style:text-properties fo:color="#ff0000"/></style:style>'
    body = ""
    for line, row in enumerate(rows, 1):
        cells = ""
        for column, value in enumerate(row):
            mark = ' table:style-name="red"' if f"{chr(65 + column)}{line}" in red else ""
            kind = (
                f'office:value-type="float" office:value="{value}"'
                if value.isdecimal()
                else 'office:value-type="string"'
            )
            cells += f"<table:table-cell{mark} {kind}><text:p>{value}</text:p></table:table-cell>"
        body += f"<table:table-row>{cells}</table:table-row>"
    fo = 'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
    content = (
        f'<?xml version="1.0"?><office:document-content {spaces} {fo}><office:automatic-styles>{style}'
        f'</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="Abend">{body}'
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as parts:
        parts.writestr("mimetype", kind)
        parts.writestr("content.xml", content)
    return data.getvalue()


def meant(case: dict[str, Any]) -> list[Amounts]:
    """The amounts of each deal of each evening; empty where no deals are in the file."""
    text = COMMON.get(case.get("deals", ""), case.get("deals", ""))
    scale = 100 if case.get("euro") else 1
    return [
        [[None if cell == "." else int(cell) * scale for cell in row.split()] for row in evening.strip().split("\n")]
        for evening in text.strip().split("\n\n")
        if evening
    ]


def answer(case: dict[str, Any], folder: Path) -> Answer:
    """What is made of the file of a case."""
    files = list(files_with_progress((str(written(case, folder)),), None))
    items = [item for file in files for item in file.items()]
    lists = case.get("players", [FOUR])
    evenings: list[Amounts] = []
    days: list[str | None] = []
    session = None
    for item in items:
        if isinstance(item, Session):
            session = item
            evenings.append([])
            days.append(item.date)
        elif isinstance(item, Deal):
            assert session
            names = lists[min(len(evenings), len(lists)) - 1].split()
            paid = item.stated.payments if item.stated and item.stated.payments else (None,) * len(session.players)
            by_name = [
                next(
                    (
                        paid[at]
                        for at, player in enumerate(session.players)
                        if player.split("(")[0].strip().startswith(name)
                    ),
                    None,
                )
                for name in names
            ]
            out = item.sits_out or ()
            seats = {session.players[seat] for seat in out}
            evenings[-1].append(
                [None if name in seats else amount for name, amount in zip(names, by_name, strict=True)]
            )
    findings = [item for item in items if isinstance(item, Finding)]
    sums = [item.stated is not None and bool(item.stated.of_list) for item in items if isinstance(item, Deal)]
    if case.get("list") and sums and all(sums):
        return Answer("read", evenings, days, findings)
    kept = [(deals, day) for deals, day in zip(evenings, days, strict=True) if deals]
    return Answer(
        verdict(case, [deals for deals, _ in kept], [day for _, day in kept], findings), evenings, days, findings
    )


def verdict(case: dict[str, Any], read: list[Amounts], days: list[str | None], findings: list[Finding]) -> str:
    truth = meant(case)
    wanted = case["date"].split("/") if case.get("date") else []
    asks = [each for each in findings if each.rule not in SILENT]
    if wanted and any(day not in (None, *wanted) for day in days):
        return "wrong"
    if case.get("evenings_free") or case.get("any_order"):
        flat = [sorted((deal for deals in each for deal in deals), key=str) for each in (read, truth)]
        if flat[0] == flat[1]:
            return "read"
    if truth and read == truth:
        return "read" if not wanted or days == wanted or wanted == ["none"] else "no day"
    if not read:
        return "asked" if asks else "wrong"
    optional = [truth[0][at] for at in case.get("optional", ())]
    if optional and read == [[deal for deal in truth[0] if deal not in optional]]:
        return "read"
    left = Counter(str(deal) for deals in truth for deal in deals)
    for deal in (deal for deals in read for deal in deals):
        if not left[str(deal)] and not sum(amount or 0 for amount in deal):
            return "wrong"
        left[str(deal)] -= 1
    uneven = any(sum(amount or 0 for amount in deal) for deals in read for deal in deals)  # which a check names
    return "part" if asks or uneven else "wrong"


def words_of(findings: list[Finding]) -> list[str]:
    """What a file is asked or told about: the id of each reason, else that of the rule."""
    reasons = [next((each.facts[key] for key in REASONS if key in each.facts), "") for each in findings]
    reasons = [each.facts["text"] if getattr(each, "id", "") == ON_SHEET else each for each in reasons]
    ids = {getattr(why, "id", "").rpartition(".")[2] or each.rule for why, each in zip(reasons, findings, strict=True)}
    return sorted(ids - SILENT)


@pytest.mark.parametrize("name", CASES)
def test_a_further_kind_is_read_as_meant_or_asked_about(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    result = answer(case, tmp_path)
    assert (result.verdict, words_of(result.findings)) == (case.get("is", "read"), case.get("asks", []))
    assert not case.get("known") or SILENT.isdisjoint(each.rule for each in result.findings)


def test_a_third_of_the_kinds_was_put_aside_by_the_hash_of_its_name() -> None:
    aside = tomllib.loads((FOLDER / "put_aside.toml").read_text("utf-8"))
    assert {name for name in CASES if int(hashlib.sha256(name.encode()).hexdigest(), 16) % 3 == 0} == aside.keys()
