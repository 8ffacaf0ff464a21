"""Rows of the archive as the lists show them: the newest deals, and the sheet of a session."""

from collections import Counter

from msgspec import Struct

from archive.cards import suit_name
from archive.web.books import Break, Facts, Standing, columns, standings
from archive.web.sums import signed
from archive.web.tally import Tally, sheets
from archive.web.view import runners, session_title
from archive.web.wording import Texts


class Listed(Struct, frozen=True):
    """A deal in a list, in words."""

    id: int
    number: int
    session: int
    date: str | None
    event: str
    game: str
    players: str
    outcome: str
    details: str
    price: int | None
    verdict: str


class Entry(Struct, frozen=True):
    """A deal on the sheet, with an amount and its kind (plus, said) and a running total for each seat."""

    deal: Listed
    payments: tuple[tuple[str, str], ...]
    totals: tuple[str, ...]
    left: tuple[str, ...]  # a cell for each column of the table


class Sheet(Struct, frozen=True, kw_only=True):
    id: int
    title: str
    facts: tuple[str, ...]
    unit: str
    names: tuple[str, ...]
    verdicts: tuple[tuple[str, int], ...]
    entries: tuple[Entry, ...]
    sums: tuple[str, ...]
    pots: str  # what went into pots and is not won yet, or empty
    zero: bool  # all payments and what went into pots add up to nothing
    columns: tuple[str, ...]  # what lies on the table between deals
    broken: Break | None
    standings: tuple[Standing, ...]
    incomplete: str  # what the documents of a ruleset do not tell
    tallied: bool  # scored in marks
    tallies: tuple[Tally, ...]


def listed(row: Facts, t: Texts) -> Listed:
    """A row of the view `outcomes`."""
    unplayed = {"none": t["thrown_in"], "misdeal": t["misdeal"], None: t["no_game"]}
    details = (
        t["points_only"].format(points=row["side_points"]) if row["side_points"] is not None else "",
        t["schwarz"] if row["schwarz"] else t["schneider"] if row["schneider"] else "",
        runners(row["runners"], t) if row["runners_paid"] else "",
        f"×{row['multiplier']}" if (row["multiplier"] or 1) > 1 else "",
    )
    game = (
        unplayed.get(row["contract"]) or row["contract"].replace("-", " ").title(),
        suit_name(row["suit"], row["faces"]),
        t["tout"] if row["tout"] else "",
    )
    outcome = t["won" if row["won"] else "lost"] if row["won"] is not None else ""
    return Listed(
        id=row["deal"],
        number=row["number"],
        session=row["session"],
        date=row["date"],
        event=session_title(row["event"], row["session"], t),
        game=" ".join(filter(None, game)),
        players=" + ".join(filter(None, (row["declarer"] or row["loser"], row["partner"]))),
        outcome=t["loses"] if row["loser"] else outcome,
        details=", ".join(filter(None, details)),
        price=row["price"],
        verdict=row["verdict"],
    )


def sheet(
    head: Facts,
    deals: list[Facts],
    t: Texts,
    broken: Facts | None = None,
    standing: tuple[list[Facts], list[str]] = ([], []),
) -> Sheet:
    """A session as its score sheet: its row, and its deals in order, each with its `ledger` and the table `before` and
    `after`; where the books break; the standings of the event."""
    ledger = [row for deal in deals for row in deal["ledger"]]
    seats = range(1, 1 + max((row["seat"] for row in ledger), default=0))
    names = {seat: dict.fromkeys(row["player"] for row in ledger if row["seat"] == seat) for seat in seats}
    tallied = any(deal["game"] for deal in deals)
    sums = [sum(row["marks" if tallied else "payment"] or 0 for row in ledger if row["seat"] == seat) for seat in seats]
    pots = sum(deal["ledger"][0]["pot"] or 0 for deal in deals if deal["ledger"])
    lying = columns([(deal["before"], deal["after"]) for deal in deals], t)
    parts = [
        t[key].format(name=name) for key, name in (("at_table", head["table_name"]), ("at_list", head["list"])) if name
    ]
    return Sheet(
        id=head["id"],
        title=session_title(head["event"], head["id"], t),
        facts=tuple(filter(None, (head["date"], head["place"], *parts, head["rules"], head["path"], head["note"]))),
        unit=head["unit"] or (ledger[0]["unit"] if ledger else "") or "",
        names=tuple(" / ".join(names[seat]) for seat in seats),
        verdicts=tuple(sorted(Counter(deal["verdict"] for deal in deals).items())),
        entries=tuple(
            _entry(listed(deal, t), deal["ledger"], len(seats), tuple(column.cells[n] for column in lying))
            for n, deal in enumerate(deals)
        ),
        sums=tuple(map(str if tallied else signed, sums)),
        pots=t["pot"].format(amount=signed(pots)) if pots else "",
        zero=sum(sums) + pots == 0,
        columns=tuple(column.title for column in lying),
        broken=Break(**broken) if broken else None,
        standings=standings(*standing),
        incomplete="; ".join(dict.fromkeys(deal["incomplete"] for deal in deals if deal["incomplete"])),
        tallied=tallied,
        tallies=sheets(deals, t),
    )


def _entry(deal: Listed, rows: list[Facts], seats: int, left: tuple[str, ...]) -> Entry:
    """What is computed for each seat, else what is stated."""
    payments, totals = [("", "")] * seats, [""] * seats
    for row in rows:
        own = row["payment"] if row["marks"] is None else row["marks"]
        said = own is None and row["stated_payment"] is not None
        amount = row["stated_payment"] if said else own
        text = signed(amount) if row["marks"] is None else str(amount or "")
        payments[row["seat"] - 1] = (text, "said" if said else "plus" if (amount or 0) > 0 else "")
        totals[row["seat"] - 1] = signed(row["total"]) if row["marks"] is None else str(row["marks_total"] or 0)
    return Entry(deal, tuple(payments), tuple(totals), left)
