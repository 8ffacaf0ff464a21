"""Our deals as a score sheet: a row a deal, as CSV with semicolons or as a workbook, in German or in English."""

import csv
import io
import zipfile
from typing import Any

import openpyxl
from msgspec.structs import replace

from archive.record import Deal, Session, Stated

HEADS = {
    "german": (
        "Nr", "Datum", "Geber", "Spiel", "Spieler", "Mitspieler", "Ergebnis", "Augen", "Schneider", "Schwarz",
        "Laufende", "Klopfer", "Kontra", "Preis",
    ),
    "english": (
        "No", "Date", "Dealer", "Contract", "Declarer", "Partner", "Result", "Points", "Schneider", "Black",
        "Runners", "Knocks", "Doubles", "Price",
    ),
}  # fmt: skip
WORDS = {
    "german": {
        True: "gewonnen", False: "verloren", "yes": "ja", "no": "nein", "with": "mit", "without": "ohne",
        "rufspiel": "Sauspiel auf die {}", "solo": "{}-Solo", "farbwenz": "{}-Wenz", "wenz": "Wenz", "geier": "Geier",
        "ramsch": "Ramsch", "none": "zusammengeworfen", "E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schellen",
    },
    "english": {
        True: "won", False: "lost", "yes": "yes", "no": "no", "with": "with", "without": "without",
        "rufspiel": "Call game ({})", "solo": "Suit solo, {}", "farbwenz": "Suit wenz {}", "wenz": "Jack solo",
        "geier": "Geier", "ramsch": "Ramsch", "none": "passed out", "E": "acorns", "G": "leaves", "H": "hearts",
        "S": "bells",
    },
}  # fmt: skip
HOUSE = {
    "tariff": "unknown",
    "contracts": ["rufspiel", "wenz", "solo", "sie", "farbwenz", "geier", "ramsch"],
    "knock": "anyone",
}
INFERRED = (
    "rules: a score sheet names none",
    "players: the columns of amounts, as the sheet orders them",
    "house.contracts: the sheet has farbwenz, geier, ramsch beside the usual ones",
    "house.knock: the sheet has knocks",
)


def partner_of(deal: Deal) -> int | None:
    """Return the declarer's partner: the record names one, or one hand has the called card."""
    called = deal.game.called if deal.game else None
    hands = deal.hands or ()
    return next((seat for seat, hand in enumerate(hands) if called and hand and called in hand), deal.partner)


def rows(head: Session, deals: tuple[Deal, ...], language: str = "german") -> list[list[Any]]:
    """Return the head row and a row a deal; numbers are numbers."""
    return [[*HEADS[language], *head.players], *(_row(head, deal, WORDS[language]) for deal in deals)]


def _row(head: Session, deal: Deal, words: dict[Any, str]) -> list[Any]:
    game, stated = deal.game, deal.stated or Stated()
    partner = partner_of(deal)
    flags = ["" if flag is None else words["yes" if flag else "no"] for flag in (stated.schneider, stated.schwarz)]
    runners = stated.runners
    return [
        deal.no,
        head.date,
        "" if deal.dealer is None else head.players[deal.dealer],
        words[game.contract].format(words.get(game.suit, "")) + (" Tout" if "tout" in game.words else ""),
        "" if game.declarer is None else head.players[game.declarer],
        "" if partner is None else head.players[partner],
        words.get(stated.won, ""),
        "" if stated.points is None else stated.points,
        *flags,
        "" if runners is None else f"{words['with' if runners > 0 else 'without']} {abs(runners)}",
        _named(head, deal.knocks),
        _named(head, tuple(each.seat for each in deal.doubles) if isinstance(deal.doubles, tuple) else deal.doubles),
        "" if stated.price is None else stated.price,
        *("" if each is None else each for each in stated.payments or ("",) * len(head.players)),
    ]


def _named(head: Session, seats: tuple[int, ...] | int | None) -> Any:
    if isinstance(seats, tuple):
        return ", ".join(head.players[seat] for seat in seats) or "-"
    return "" if seats is None else seats


def as_csv(table: list[list[Any]], delimiter: str = ";") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(table)
    return text.getvalue().encode()


def as_workbook(*tables: list[list[Any]]) -> bytes:
    """Return a workbook with a worksheet for each table."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for table in tables:
        worksheet = book.create_sheet()
        for row in table:
            worksheet.append([None if value == "" else value for value in row])
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return the same evening in two files: as CSV and as a workbook."""
    return [as_csv(rows(head, deals)), as_workbook(rows(head, deals, "english"))]


def held(head: Session, deal: Deal, language: str = "german") -> tuple[Session, Deal]:
    """Return the deal without its cards; a doubling has no moment, and the result is in the words of the sheet."""
    session = Session(players=head.players, rules="bavarian", house=HOUSE, date=head.date, inferred=INFERRED)
    stated = replace(deal.stated or Stated(), result=WORDS[language].get(deal.stated.won) if deal.stated else None)
    doubles = deal.doubles
    if isinstance(doubles, tuple):
        doubles = tuple(replace(each, trick=None, card=None) for each in doubles)
    kept = Deal(
        no=deal.no,
        dealer=deal.dealer,
        knocks=deal.knocks,
        game=deal.game,
        partner=partner_of(deal),
        doubles=doubles,
        stated=stated,
    )
    return session, kept


def as_open_document(rows: list[list[Any]], hidden: int = 0) -> bytes:
    """Return the rows as an ODS with one worksheet; anything like a number is one. The row in line `hidden` is not
    shown."""
    number = '<table:table-cell office:value-type="float" office:value="{0}"><text:p>{0}</text:p></table:table-cell>'
    words = '<table:table-cell office:value-type="string"><text:p>{0}</text:p></table:table-cell>'
    cells = [[(number if str(value).lstrip("-").isdigit() else words).format(value) for value in row] for row in rows]
    names = ("office", "table", "text")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    marks = {hidden: ' table:visibility="filter"'}
    table = "".join(
        f"<table:table-row{marks.get(line, '')}>{''.join(row)}</table:table-row>" for line, row in enumerate(cells, 1)
    )
    table = f'<table:table table:name="Abend">{table}</table:table>'
    body = f"<office:body><office:spreadsheet>{table}</office:spreadsheet></office:body>"
    content = f'<?xml version="1.0"?><office:document-content {spaces}>{body}</office:document-content>'
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    entry = '<manifest:file-entry manifest:full-path="{}" manifest:media-type="{}"/>'
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    manifest += entry.format("/", kind) + entry.format("content.xml", "text/xml") + "</manifest:manifest>"
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as parts:
        parts.writestr("mimetype", kind)
        parts.writestr("content.xml", content)
        parts.writestr("META-INF/manifest.xml", manifest)
    return data.getvalue()
