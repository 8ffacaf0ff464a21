"""Sessions that the program Schafkopfauswerter saves as a page: the prices in paragraphs, then a table with a row for
each deal and the running totals of four players. The shape is in `docs/formats/schafkopfauswerter.md`."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from archive.record import Source
from archive.say import Message, message
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.html_tables import html_sheets
from importers.score_sheet.mappings import ColumnMapping
from importers.score_sheet.tables import Row, Sheet
from importers.text import as_utf8, decode_file

PARAGRAPH = r"<p>\s*([^<:]{1,40}):\s*([^<]{1,40}?)\s*</p>"
NUMBER, DECLARER, GAME, PRICE, FIRST, LAST, WON, STOCK = 0, 1, 2, 3, 4, 7, 8, 9  # the columns of the program
HEADS = ("Anzahl", "Spieler", "Spiel", "Preis")
SEATS = range(FIRST, LAST + 1)
TOTALS, PAYMENTS = STOCK + 1, STOCK + 5  # places of the added columns, one for each player
NOBODY = "/"
GAMES = {"Solo Sie": "Sie"}
THROWN_IN = "weiter"
RESULTS = {
    "ja": "gewonnen", "nein": "verloren", "keiner": "", "PLAYER": "gewonnen", "ENEMY": "verloren", "NOONE": "",
}  # fmt: skip
AMOUNT = r"-?\d{1,9}"
MAPPING = ColumnMapping(
    columns={
        "number": 1, "declarer": 2, "contract": 3, "price": 4, "partner": 5, "result": WON + 1, "stock": STOCK + 1,
    },
    players=[str(at + 1) for at in range(PAYMENTS, PAYMENTS + len(SEATS))],
    totals=[str(at + 1) for at in range(TOTALS, TOTALS + len(SEATS))],
)  # fmt: skip
PRICED = {"tout": "base+runners", "knock": "anyone", "stoss": {"limit": 4}}  # by the program, always
ALL, TIMES_OF_SIE = 8, 4  # runners of a Sie; the rules take its price four times, the program a Solo with them twice


def is_saved_session(head: bytes) -> bool:
    """Return whether a file is such a page, by its first bytes."""
    start = as_utf8(head)
    return b"Preise:" in start and b"<p>Rufspiel:" in start and b"<th>Anzahl</th>" in start


def session_sheets(data: bytes, source: Source) -> Iterator[Sheet]:
    """Return the table of such a page with a column for what each deal paid."""
    prices = dict(re.findall(PARAGRAPH, decode_file(data).partition("<table")[0]))
    for sheet in html_sheets(data, source):
        head = sheet.rows[0].cells if sheet.rows else ()
        is_known = head[: len(HEADS)] == HEADS and len(head) > LAST
        yield _whole(sheet, prices) if is_known else sheet


def _whole(sheet: Sheet, prices: dict[str, str]) -> Sheet:
    """Return the sheet with the columns of `MAPPING`."""
    head, *body = sheet.rows
    names = [head.cells[at] for at in SEATS]
    heads = [*HEADS, "Mitspieler", "", "", "", "Gewonnen", "Stock", *(f"Summe {name}" for name in names), *names]
    rows = [head._replace(cells=tuple(heads))]
    before: tuple[int | None, ...] = (0,) * len(SEATS)
    number = 0
    for row in body:
        if cell_text(row, NUMBER) == "0" and cell_text(row, GAME) == NOBODY:
            continue  # every session begins with a row of noughts
        number_text, texts = cell_text(row, NUMBER), [cell_text(row, at) for at in SEATS]
        totals = tuple(int(text) if re.fullmatch(AMOUNT, text) else None for text in texts)
        follows = number_text == str(number + 1) and None not in (*before, *totals)
        paid = [(new or 0) - (old or 0) for old, new in zip(before, totals, strict=True)] if follows else []
        amounts = map(str, paid) if paid else [""] * len(SEATS)
        rows.append(row._replace(cells=(*_cells(row, names, paid), *texts, *amounts)))
        before, number = totals, int(number_text) if re.fullmatch(AMOUNT, number_text) else number + 1
    house, evidence = _house(prices)
    return sheet._replace(
        rows=rows,
        mapping=replace(MAPPING, names=names, house=house),
        evidence=evidence,
    )


def _cells(row: Row, names: list[str], paid: list[int]) -> Sequence[str]:
    """Return the cells of a row up to the stock, in words that sheets have too, with the partner of a Rufspiel, who was
    paid the same as the declarer, in place of the totals of players."""
    cells = [cell_text(row, at) for at in range(STOCK + 1)]
    cells[DECLARER] = "" if cells[DECLARER] == NOBODY else cells[DECLARER]
    cells[GAME] = GAMES.get(cells[GAME], cells[GAME])
    cells[PRICE] = cells[PRICE].removeprefix("-")  # the program writes a loss of the declarer with a sign,
    if cells[GAME].casefold() == THROWN_IN:
        cells[PRICE] = ""  # and writes here the payment of each into the stock
    cells[WON] = RESULTS.get(cells[WON], cells[WON])
    of_declarer = dict(zip(names, paid, strict=False)).get(cells[DECLARER])
    alike = [name for name, amount in zip(names, paid, strict=False) if amount == of_declarer]
    mates = [name for name in alike if name != cells[DECLARER]]
    is_called = cells[GAME] == "Rufspiel" and len(mates) == 1
    return [*cells[:FIRST], mates[0] if is_called else "", "", "", "", *cells[WON:]]


def _house(prices: dict[str, str]) -> tuple[dict[str, Any], tuple[tuple[str, Message], ...]]:
    """Return the settings that the page names and those by which the program prices, and the source of each."""
    above, program = message("importers.note-prices-above"), message("importers.note-program-prices")
    notes = {"players": "note-players", "stated.payments": "note-difference", "with": "note-partner-paid"}
    evidence = [(key, message(f"importers.{note}")) for key, note in notes.items()]
    house: dict[str, Any] = {"tariff": "unknown"}
    extra, rufspiel, solo = (prices.get(name, "") for name in ("Laufende/Schneider", "Rufspiel", "Solo"))
    if all(re.fullmatch(r"\d{1,6}", text) for text in (extra, rufspiel, solo)):
        house["tariff"] = f"{int(extra)}/{int(rufspiel)}/{int(solo)}"
        evidence.append(("house.tariff", above))
        if prices.get("Stock") == "ja":
            house["stock"] = {"amount": int(rufspiel), "won_by": ["rufspiel"]}
            evidence.append(("house.stock", above))
        whole = 2 * (int(solo) + ALL * int(extra))
        house |= {} if whole % TIMES_OF_SIE else {"price": {"sie": whole // TIMES_OF_SIE}}
    always = [key for key in ("price", *PRICED) if key in house | PRICED]
    return house | PRICED, (*evidence, *((f"house.{key}", program) for key in always))
