"""One evening of twelve deals as LibreOffice 7.4, Gnumeric 1.12 and others save it: the same deals in any format."""

import html
import io
import json
import plistlib
import re
import struct
import zipfile
from email.message import EmailMessage
from pathlib import Path

import openpyxl
import pytest
from msgspec.structs import replace

from archive.cli.inputs import open_file
from archive.cli.unpack import Raw, unpack_file
from archive.record import Deal, Finding, Session, Source
from importers import find, score_sheet
from importers.score_sheet import old_excel
from importers.score_sheet.tables import RefusedWorkbook

FILES = Path(__file__).parent / "workbooks"
EVENING = sorted(path.name for path in FILES.iterdir() if path.stem.startswith("twelve"))
FLAT_KIND = 'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"'


def deals_of(path: str, data: bytes) -> list[Deal]:
    """The deals of a file as it is opened, without their places."""
    items = [item for raw in unpack_file(path, data) for item in open_file(raw, None).items()]
    return [replace(item, source=None) for item in items if isinstance(item, Deal)]


def rules_of(data: bytes) -> list[str]:
    return [item.rule for item in open_file(Raw("x", data), None).items() if isinstance(item, Finding)]


def as_one_file(book: Path) -> bytes:
    """An .ods as the same program saves it as a .fods: settings, styles and content below one root, on many lines."""
    with zipfile.ZipFile(book) as parts:
        texts = [parts.read(f"{name}.xml").decode() for name in ("settings", "styles", "content")]
    roots = [re.findall(r"<office:document-\w+([^>]*)>(.*)</office:document-", text, re.DOTALL)[0] for text in texts]
    names = " ".join({name for head, _ in roots for name in re.findall(r'xmlns:\w+="[^"]*"', head)})
    body = "".join(inner for _, inner in roots).replace("><", ">\n <")
    return f'<?xml version="1.0"?><office:document {names} {FLAT_KIND}>{body}</office:document>'.encode()


@pytest.mark.parametrize("name", [*EVENING, "twelve.fods"])
def test_an_evening_is_the_same_whichever_program_saved_it(name: str) -> None:
    """The pages, which have a line for each cell, hold its first four deals."""
    expected = deals_of("twelve.xlsx", (FILES / "twelve.xlsx").read_bytes())
    assert [deal.stated.payments for deal in expected][:3] == [
        (20, -20, 20, -20),
        (-20, 20, -20, 20),
        (50, 50, -150, 50),
    ]
    path = FILES / name
    deals = deals_of(name, path.read_bytes() if path.is_file() else as_one_file(path.with_suffix(".ods")))
    assert deals == expected[: 4 if path.suffix == ".html" else 12]


HEAD = ["Nr", "Spieler", "Spiel", "Partner", "gewonnen", "Vroni", "Girgl", "Zenzi", "Lois"]
ROWS = [
    [1, "Vroni", "Sauspiel Alte", "Zenzi", "ja", 20, -20, 20, -20],
    [2, "Girgl", "Wenz", "", "nein", 50, -150, 50, 50],
]


def as_flat(rows: list[list[object]], indent: str, attributes: str = "") -> bytes:
    """A .fods of one table, laid out with or without blanks between its elements."""

    def cell(value: object) -> str:
        if isinstance(value, int):
            return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
        return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'

    lines = [
        f"<table:table-row{attributes if place == 2 else ''}>{indent}"
        + indent.join(map(cell, row))
        + "</table:table-row>"
        for place, row in enumerate(rows)
    ]
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "style")
    )
    body = indent.join(lines)
    return (
        f'<?xml version="1.0"?><office:document{names} {FLAT_KIND}>'
        f'<office:body><office:spreadsheet><table:table table:name="A">{indent}{body}</table:table>'
        "</office:spreadsheet></office:body></office:document>"
    ).encode()


@pytest.mark.parametrize("indent", ["", "\n    "])
def test_an_open_document_is_read_indented_or_not(indent: str) -> None:
    deals = deals_of("x.fods", as_flat([HEAD, *ROWS], indent))
    assert [deal.stated.payments for deal in deals] == [(20, -20, 20, -20), (50, -150, 50, 50)]


def as_gnumeric(around: str) -> bytes:
    """A plain file of Gnumeric with what stands beside its cells."""
    cells = "".join(
        f'<gnm:Cell Row="{line}" Col="{at}" ValueType="{40 if isinstance(value, int) else 60}">{value}</gnm:Cell>'
        for line, row in enumerate([HEAD, *ROWS])
        for at, value in enumerate(row)
    )
    sheet = f"<gnm:Sheet><gnm:Name>A</gnm:Name>{around}<gnm:Cells>{cells}</gnm:Cells></gnm:Sheet>"
    names = 'xmlns:gnm="http://www.gnumeric.org/v10.dtd"'
    return f'<?xml version="1.0"?><gnm:Workbook {names}><gnm:Sheets>{sheet}</gnm:Sheets></gnm:Workbook>'.encode()


def as_page(mark: str, style: str = "") -> bytes:
    """A page with the table, the last amount within other tags."""
    cells = [[f"<td>{value}</td>" for value in row] for row in (HEAD, *ROWS)]
    cells[-1][-1] = mark
    return f"<html><style>{style}</style><table><tr>{'<tr>'.join(map(''.join, cells))}</table></html>".encode()


FLAT = as_flat([HEAD, *ROWS], "").replace(
    b"<office:body>",
    b'<office:automatic-styles><style:style style:name="s"><style:text-properties'
    b' style:text-line-through-style="solid"/></style:style></office:automatic-styles><office:body>',
)
AREA = (
    '<gnm:StyleRegion startCol="0" startRow="2" endCol="255" endRow="2"><gnm:Style><gnm:Font StrikeThrough="1"/>'
    "</gnm:Style></gnm:StyleRegion>"
)
SECOND_DEALS = {  # files of two deals, the second of which may not count
    "hidden in OpenDocument": as_flat([HEAD, *ROWS], "", ' table:visibility="collapse"'),
    "an amount struck out in OpenDocument": FLAT.replace(b'"-150"', b'"-150" table:style-name="s"'),
    "letters struck out in OpenDocument": FLAT.replace(b"Wenz", b'<text:span text:style-name="s">R</text:span> Wenz'),
    "struck out in Gnumeric": as_gnumeric(f"<gnm:Styles>{AREA}</gnm:Styles>"),
    "a comment in Gnumeric": as_gnumeric('<gnm:CellComment ObjectBound="D3:D3" Text="ungültig"/>'),
    "an amount struck out in a page": as_page("<td><s>50</s>"),
    "a part of an amount struck out in a page": as_page("<td><del>1</del>50"),
    "struck out by a style of a page": as_page('<td class="x7">50', ".x7\n{color:red;\ntext-decoration:line-through}"),
    "a part of an amount struck out in an old Excel": (FILES / "struck.xls").read_bytes(),
}


@pytest.mark.parametrize(("since", "day"), [("Lotus:1900", "2026-11-13"), ("Apple:1904", "2030-11-14")])
def test_days_of_gnumeric_are_counted_from_the_one_that_it_names(since: str, day: str) -> None:
    data = as_gnumeric("").replace(b'"40">1<', b'"40" ValueFormat="yyyy">46339<')
    data = data.replace(b"<gnm:Sheets>", f"<gnm:DateConvention>{since}</gnm:DateConvention><gnm:Sheets>".encode())
    assert score_sheet.open_sheets(data, Source("x")).sheets[0].rows[1].cells[0] == day


@pytest.mark.parametrize("kind", SECOND_DEALS)
def test_a_row_that_may_not_count_is_asked_about_whichever_program_saved_it(kind: str) -> None:
    data = SECOND_DEALS[kind]
    assert [deal.stated.payments for deal in deals_of("x", data)] == [(20, -20, 20, -20)]
    assert "row-unclear" in rules_of(data)


def test_the_commas_and_breaks_of_a_cell_of_an_open_document_stay() -> None:
    grid = "<text:p>A<text:tab/>B<text:line-break/>C<text:s text:c='2'/>D</text:p>"
    data = as_flat([["X"]], "").replace(b"<text:p>X</text:p>", grid.encode())
    sheets = score_sheet.open_sheets(data, Source("x")).sheets
    assert [row.cells for sheet in sheets for row in sheet.rows] == [("A\tB\nC  D",)]


def with_comment_without_author() -> bytes:
    """A workbook with a comment whose list of authors is empty, as some exports write it."""
    book = openpyxl.Workbook()
    for row in [HEAD, *ROWS]:
        book.active.append(row)
    book.active["C3"].comment = openpyxl.comments.Comment("teuer", "X")
    whole, changed = io.BytesIO(), io.BytesIO()
    book.save(whole)
    with zipfile.ZipFile(whole) as parts, zipfile.ZipFile(changed, "w") as copy:
        for entry in parts.infolist():
            part = parts.read(entry)
            copy.writestr(entry.filename, part.replace(b"<authors><author>X</author></authors>", b"<authors/>"))
    return changed.getvalue()


def test_a_comment_without_an_author_keeps_no_sheet_from_being_read() -> None:
    assert len(deals_of("x.xlsx", with_comment_without_author())) == 2


def test_a_table_in_json_is_read_as_the_sheet_it_is() -> None:
    entries = [dict(zip(HEAD, row, strict=True)) for row in ROWS]
    lines = "\n".join(map(json.dumps, entries))
    columns = {head: {str(at): row[place] for at, row in enumerate(ROWS)} for place, head in enumerate(HEAD)}
    seated = [dict(zip(HEAD[:5], row, strict=False)) | {"Punkte": row[5:]} for row in ROWS]
    for whole in (
        *(entries, columns, {"spiele": entries}, {"-M1": entries[0], "-M2": entries[1]}),
        *({"players": HEAD[5:], "games": seated}, {"a": 1, "spiele": {"-M1": entries[0], "-M2": entries[1]}}),
    ):
        for text in (json.dumps(whole), json.dumps(whole, indent=2), lines):
            deals = deals_of("x.json", text.encode())
            assert [deal.stated.payments for deal in deals] == [(20, -20, 20, -20), (50, -150, 50, 50)], text


def test_no_evening_in_json_and_no_deal_behind_a_damaged_one_is_lost() -> None:
    one, two = (dict(zip(HEAD, row, strict=True)) for row in ROWS)
    evenings = [{"datum": "2026-11-13", "spiele": [one]}, {"datum": "2026-11-20", "spiele": [two, one]}]
    by_day = {evening["datum"]: evening["spiele"] for evening in evenings}
    for whole in (evenings, {"verein": "x", "abende": evenings}, by_day):
        items = [*open_file(Raw("x.json", json.dumps(whole, indent=1).encode()), None).items()]
        assert [item.date for item in items if isinstance(item, Session)] == ["2026-11-13", "2026-11-20"]
        assert [item.stated.won for item in items if isinstance(item, Deal) and item.stated] == [True, False, True]
    lines = [*map(json.dumps, (one, two))]
    for text, deals in (
        (f"{lines[0]}\n{lines[1][:40]}\n{lines[1]}", 2), (json.dumps([one, two], indent=1)[:-60], 1),
        (f"[{lines[0]},\nnull,\n{lines[1]}]", 2), (f'{lines[0]}\n{{"a\\x": 1}}', 1),
        (f"[{lines[0]},\n{lines[1]}", 2), (f'{{"spiele": [{lines[0]},\n{lines[1]}', 2),
        (f'[{{"spiele": [{lines[0]}], "a": x}},\n{{"spiele": [{lines[1]}]}}]', 1),
    ):  # fmt: skip
        assert len(deals_of("x.json", text.encode())) == deals
        assert rules_of(text.encode()) == ["line-not-read"]


PAGE = (Path(__file__).parents[2] / "sample_games" / "valid" / "sauspiel-rufspiel.html").read_bytes()


def as_mhtml(page: bytes, frame: bytes) -> bytes:
    """A page as Chrome on Android saves it, with another one in it."""
    whole = EmailMessage()
    whole["Subject"], whole["From"] = "Spiel", "<Saved by Blink>"
    whole.set_content(page.decode(), subtype="html", cte="quoted-printable")
    whole.add_related(b"\x89PNG", "image", "png", filename="card.png")
    whole.add_related(frame, "text", "html", cte="quoted-printable")
    return bytes(whole)


def shown_source(page: str, by: str) -> bytes:
    """A page whose source a browser shows, saved as it stands there."""
    text = re.sub(r"&lt;(/?\w+)", r'<span class="html-tag">&lt;\1</span>', html.escape(page))
    if by == "Firefox":
        return f'<html><head></head><body id="viewsource"><pre id="line1">{text}</pre></body></html>'.encode()
    row = '<tr><td class="line-number" value="1"></td><td class="line-content">{}</td></tr>'
    return f"<html><body><table>{''.join(map(row.format, text.splitlines()))}</table></body></html>".encode()


def test_a_page_that_a_phone_saved_or_whose_source_was_saved_is_the_page_itself() -> None:
    ad = b"<html><body>Werbung</body></html>"
    expected = deals_of("x.html", PAGE)
    resource = {"WebResourceData": PAGE, "WebResourceTextEncodingName": "UTF-8", "WebResourceURL": "https://x/"}
    saved = {"WebMainResource": resource}
    files = [as_mhtml(PAGE, ad), as_mhtml(ad, PAGE), *(shown_source(PAGE.decode(), by) for by in ("Chrome", "Firefox"))]
    files += [plistlib.dumps(saved, fmt=plistlib.FMT_BINARY), plistlib.dumps(saved)]
    assert len(expected) == 1
    for data in files:
        assert deals_of("x", data) == expected


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "foreign-empty"),
        ("\n \n".encode("utf-16"), "foreign-empty"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "foreign-picture"),
        (b"%PDF-1.7\n%\xe2\xe3\n", "foreign-pdf"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0isommp42" + b"\0" * 40, "foreign-film"),
        (b"OggS\0\x02" + b"\0" * 22 + b"\x01\x13OpusHead" + b"\0" * 40, "foreign-sound"),
        (b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:X\r\nEND:VCARD\r\n", "foreign-contacts"),
        (b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "foreign-calendar"),
        (b"INSERT INTO `spiele` VALUES (1,'Wenz','Anna',150,-50,-50,-50);\n", "foreign-dump"),
        (b"{\\rtf1\\ansi Text}", "foreign-text-document"),
        (b"ID;PWXL;N;E\r\nC;X1;Y1;K1\r\n", "foreign-exchange-sheet"),
        (b'{"app": "x", "games": [{"id": 1}]}', "foreign-json"),
        (b"<!DOCTYPE html><html><body><p>Impressum</p></body></html>", "foreign-web-page"),
        (
            b"Sauspiel von Ada\nSpiel #1.550.000.101, vom 15. April 2026\n1. Stich\nMoni B. Herz-Zehn\n",
            "foreign-page-text",
        ),
        (
            b"> Wenz von Moni B.\n> #1550000000 - 15.04.2026 20:08, in der Wirtschaft\n> gewonnen mit 70\n",
            "foreign-page-text",
        ),
    ],
)
def test_a_file_of_another_program_is_named_in_a_sentence(data: bytes, what: str) -> None:
    (found,) = open_file(Raw("x", data), None).findings
    assert (found.rule, found.facts["what"].id) == ("foreign-file", f"cli.{what}")


def test_a_record_is_asked_about_by_the_record_formats_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(score_sheet, "matches", lambda name, head: asked.append(name))
    assert [each.NAME for each in find("x", b'format = "schafkopf-record/1"\n')] == ["record-toml"]
    assert not asked


def test_sessions_are_kept_apart_from_deals() -> None:
    items = open_file(Raw("x", as_flat([HEAD, *ROWS], "")), None).items()
    assert isinstance(next(iter(items)), Session)


FAR = {  # a worksheet whose only cell is the last that a program has: nothing that calamine could lay out
    "xlsx": (
        old_excel.check_xml,
        b'<worksheet><sheetData><row r="1048576"><c r="XFD1048576"/></row></sheetData></worksheet>',
    ),
    "xlsb": (old_excel.check_xlsb, b"\x91\x01\x00\x00\x04\xff\xff\x0f\x00\x01\x04\xff\x3f\x00\x00"),
    "xls": (old_excel.check_xls, struct.pack("<HHHH", 0x203, 4, 0xFFFF, 0xFF)),
}


@pytest.mark.parametrize("kind", FAR)
def test_cells_that_lie_too_far_apart_are_refused_before_they_are_laid_out(kind: str) -> None:
    check, part = FAR[kind]
    with pytest.raises(RefusedWorkbook):
        check(part)
    check(b"")
