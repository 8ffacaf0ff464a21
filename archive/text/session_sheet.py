"""Sessions: the list of them, and the sheet of one: its deals in order, what they add up to, and where they do not."""

from collections import Counter

from msgspec import Struct

from archive.text.chalk import ChalkSheet, session_sheets
from archive.text.deal_row import AmountCell, SheetRow, closing_totals, deal_row, opening_totals, sheet_row
from archive.text.session_ledger import Facts, LedgerBreak, Standing, ledger_columns, ranked_standings
from archive.text.wording import Texts, unit_of
from archive.web.deal.page import session_title
from archive.web.deal.settlement import format_signed


class SessionLine(Struct, frozen=True):
    """A session in a list, in words."""

    id: int
    title: str
    date: str | None
    at: str  # table and list, where there are several
    place: str
    rules: str  # the title of the ruleset
    ruleset: str | None  # its name, where there is one
    deals: int
    verdicts: tuple[tuple[str, int], ...]
    breaks: tuple[int, int] | None  # the deal at which the books break first, and its number


def session_line(row: Facts, t: Texts) -> SessionLine:
    """A row of `evenings.sessions_of`, or a shorter one."""
    name, title = row.get("house") or (None, row.get("rules", ""))
    return SessionLine(
        id=row["id"],
        title=session_title(row["event"], row["id"], t),
        date=row["date"],
        at=", ".join(_at(row, t)),
        place=row.get("place") or "",
        rules=title,
        ruleset=name,
        deals=row.get("deals", 0),
        verdicts=tuple(sorted(row.get("verdicts", {}).items())),
        breaks=row.get("break"),
    )


def _at(row: Facts, t: Texts) -> list[str]:
    """Which table and which list of an event."""
    return [
        t[key].format(name=name) for key, name in (("at_table", row["table_name"]), ("at_list", row["list"])) if name
    ]


class SessionSheet(Struct, frozen=True, kw_only=True):
    id: int
    title: str
    facts: tuple[str, ...]
    unit: str
    names: tuple[str, ...]
    verdicts: tuple[tuple[str, int], ...]
    entries: tuple[SheetRow, ...]
    count: int  # deals of the session
    first: int  # its deals that the sheet shows, counted from 1
    last: int
    brought: tuple[AmountCell, ...]  # totals before the first of them, where there are any
    sums: tuple[str, ...]
    totals: tuple[AmountCell, ...]  # after the last of them
    pots: str  # what went into pots and is not won yet, or empty
    zero: bool  # all payments and what went into pots add up to nothing
    columns: tuple[str, ...]  # what lies on the table between deals
    broken: LedgerBreak | None
    standings: tuple[Standing, ...]
    incomplete: str  # what the documents of a ruleset do not tell
    tallied: bool  # scored in marks
    tallies: tuple[ChalkSheet, ...]


def session_sheet(
    head: Facts,
    deals: list[Facts],
    t: Texts,
    broken: Facts | None = None,
    standing: tuple[list[Facts], list[str]] = ([], []),
    verdicts: dict[str, int] | None = None,
    start: int = 0,
) -> SessionSheet:
    """A session as its score sheet, or those of its deals that come after the first `start`: its row, and its deals in
    order, each with its `ledger` and the table `before` and `after`; where the books break; the standings of the event;
    the verdicts of all its deals."""
    ledger = [row for deal in deals for row in deal["ledger"]]
    seats = range(1, 1 + max((row["seat"] for row in ledger), default=0))
    names = {seat: dict.fromkeys(row["player"] for row in ledger if row["seat"] == seat) for seat in seats}
    tallied = any(deal["game"] for deal in deals)
    sums = [sum(row["marks" if tallied else "payment"] or 0 for row in ledger if row["seat"] == seat) for seat in seats]
    pots = sum(deal["ledger"][0]["pot"] or 0 for deal in deals if deal["ledger"])
    lying = ledger_columns([(deal["before"], deal["after"]) for deal in deals], t)
    told = verdicts or Counter(deal["verdict"] for deal in deals)
    return SessionSheet(
        id=head["id"],
        title=session_title(head["event"], head["id"], t),
        facts=tuple(
            filter(None, (head["date"], head["place"], *_at(head, t), head["rules"], head["path"], head["note"]))
        ),
        unit=unit_of(head["unit"] or (ledger[0]["unit"] if ledger else "") or "", t, True),
        names=tuple(" / ".join(names[seat]) for seat in seats),
        verdicts=tuple(sorted(told.items())),
        entries=tuple(
            sheet_row(deal, deal_row(deal, t), len(seats), tuple(column.cells[n] for column in lying), broken, t)
            for n, deal in enumerate(deals)
        ),
        count=sum(told.values()),
        first=start + 1,
        last=start + len(deals),
        brought=() if tallied else opening_totals(deals, len(seats), t),
        sums=tuple(map(str if tallied else format_signed, sums)),
        totals=() if tallied else closing_totals(deals, len(seats), t),
        pots=t["pot"].format(amount=format_signed(pots)) if pots else "",
        zero=sum(sums) + pots == 0,
        columns=tuple(column.title for column in lying),
        broken=LedgerBreak(**broken) if broken else None,
        standings=ranked_standings(*standing),
        incomplete="; ".join(dict.fromkeys(deal["incomplete"] for deal in deals if deal["incomplete"])),
        tallied=tallied,
        tallies=session_sheets(deals, t),
    )
