"""Sessions: the list of them, and the sheet of one: its deals in order, their sums, and where they do not add up."""

from collections import Counter
from collections.abc import Callable
from functools import partial

from msgspec import Struct

from archive.record import message_of
from archive.say import say, title_in
from archive.settle.rulings import totals_with_rulings
from archive.settle.types import LedgerState, Totals, sum_if_known
from archive.stats.coverage import rests_message
from archive.store.stored_messages import finding_from_row
from archive.text.chalk import ChalkSheet, session_sheets
from archive.text.dates import format_day
from archive.text.deal_row import DealRow, deal_row
from archive.text.numbers import column_unit, format_entry, format_money, format_signed, with_amounts
from archive.text.session_ledger import Facts, LedgerBreak, ledger_columns
from archive.text.wording import Texts, rules_named, session_title, unit_of

Write = Callable[[int | None], str]  # how an amount is written


class SessionLine(Struct, frozen=True):
    """A session in a list, in words."""

    id: int
    title: str
    date: str | None
    at: str  # table and list, if there are several
    place: str
    rules: str  # the title of the ruleset
    ruleset: str | None  # its name, if there is one
    deals: int
    verdicts: tuple[tuple[str, int], ...]
    breaks: tuple[int, int] | None  # the deal at which the books break first, and its number
    ends: tuple[tuple[str, int, str], ...] = ()  # the players: names, numbers, totals if known


def session_line(row: Facts, t: Texts) -> SessionLine:
    """Return a row of `evenings.sessions_of`, or a shorter one, in words."""
    name, title = row.get("house") or (None, row.get("rules", ""))
    return SessionLine(
        id=row["id"],
        title=session_title(row["event"], row["id"], t),
        date=row["date"],
        at=", ".join(table_and_list(row["table_name"], row["list"], t)),
        place=row.get("place") or "",
        rules=title_in("rules", name, title, t["lang"]) if name else title,
        ruleset=name,
        deals=row.get("deals", 0),
        verdicts=tuple(sorted(row.get("verdicts", {}).items())),
        breaks=row.get("break"),
        ends=tuple(
            (each["name"], each["id"], "" if each["total"] is None else format_money(each["total"], each["unit"], t))
            for each in row.get("ends", ())
        ),
    )


def table_and_list(table: str | None, of_list: str | None, t: Texts) -> list[str]:
    """Return which table and which list of an event, as far as they have names."""
    return [t[key].format(name=name) for key, name in (("at_table", table), ("at_list", of_list)) if name]


class AmountCell(Struct, frozen=True):
    """An amount of a seat, as computed, else as stated (`kind` is then `said`), and the notes beside it."""

    text: str
    kind: str = ""  # plus, said
    notes: tuple[str, ...] = ()  # what is stated otherwise, ruled, settled


class SheetRow(Struct, frozen=True):
    """A deal on the sheet: what each seat is paid, the sum of that and the pot, and the totals."""

    deal: DealRow
    payments: tuple[AmountCell, ...]
    rest: str  # 0 if it adds up; empty if that is unknown
    off: bool  # it does not add up
    totals: tuple[AmountCell, ...]
    left: tuple[str, ...]  # a cell for each column of the table
    breaks: bool  # the books break first at this deal
    price: str = ""


class SessionSheet(Struct, frozen=True, kw_only=True):
    id: int
    title: str
    facts: tuple[str, ...]
    unit: str
    names: tuple[str, ...]
    verdicts: tuple[tuple[str, int], ...]
    rests: str  # what the amounts of all its deals rest on
    entries: tuple[SheetRow, ...]
    count: int  # deals of the session
    first: int  # the first deal that the sheet shows, counted from 1
    brought: tuple[AmountCell, ...]  # totals before the first of them, if there are any
    sums: tuple[AmountCell, ...]  # of the payments, and what was given beside them
    totals: tuple[AmountCell, ...]  # after the last of them
    pots: str  # the amount in pots that is not won yet, or empty
    rest: str  # to what all payments and pots add up
    columns: tuple[str, ...]  # the things on the table between deals
    broken: LedgerBreak | None
    incomplete: str  # what the documents of a ruleset do not say
    tallied: bool  # scored in marks
    tallies: tuple[ChalkSheet, ...]

    @property
    def zero(self) -> bool:
        """Return whether all payments and pots add up to zero."""
        return self.rest == "0"

    @property
    def has_amounts(self) -> bool:
        """Return whether an amount of the deals on the sheet is known."""
        return any(cell.text not in ("", "–") for entry in self.entries for cell in entry.payments)


def deals_by_person(deals: list[Facts]) -> list[Facts]:
    """Return deals whose rows of the ledger stand on a line for each person in place of a `chair`, where somebody
    moved and everybody keeps their total; else as they are."""
    sitting = {(row["seat"], row["player"]) for deal in deals for row in deal["ledger"]}
    people = dict.fromkeys(row["player"] for deal in deals for row in deal["ledger"])
    twice = any(len({row["player"] for row in deal["ledger"]}) < len(deal["ledger"]) for deal in deals)
    again = any(people.keys() & dict(deal["after"].away) for deal in deals if deal["after"])  # under two names
    as_they_are = len(sitting) == len({seat for seat, _ in sitting}) == len(people) and not again
    if as_they_are or twice or any(deal["score"] or deal["substitute"] == "seat" for deal in deals):
        return deals
    line = {name: place for place, name in enumerate(people, 1)}
    return [
        deal
        | {
            "ledger": [
                row | {"seat": line[row["player"]], "chair": row["seat"]} | _with_left(row, deal["after"])
                for row in deal["ledger"]
            ]
        }
        for deal in deals
    ]


def _with_left(row: Facts, after: LedgerState | None) -> Facts:
    """Return the totals of a row with what its player, who came back under another name, had on leaving."""
    if after is None or (name := row["player"]) not in dict(after.away):
        return {}
    computed, settled = dict(after.away)[name], (dict(after.away) | dict(after.settled_away))[name]
    more = {"total": settled if computed is None else computed, "settled_total": settled}
    return {key: sum_if_known((row[key], left)) for key, left in more.items()}


def names_by_seat(deals: list[Facts]) -> list[list[str]]:
    """Return the players of each seat, or line, in order."""
    ledger = [row for deal in deals for row in deal["ledger"]]
    seats = range(1, 1 + max((row["seat"] for row in ledger), default=0))
    return [list(dict.fromkeys(row["player"] for row in ledger if row["seat"] == seat)) for seat in seats]


def session_sheet(
    head: Facts,
    deals: list[Facts],
    t: Texts,
    broken: Facts | None,
    verdicts: dict[str, int] | None,
    start: int,
    bases: dict[str, int] | None = None,
) -> SessionSheet:
    """Return a session as its score sheet, or its deals after the first `start`. `head` is its row, `deals` are in
    order, each with its `ledger` and the table `before` and `after`; `broken` is where the books break; `verdicts` and
    `bases` count all its deals. Cents are whole numbers as on paper; with the texts of `in_euros` they are euros with
    decimals."""
    ledger = [row for deal in deals for row in deal["ledger"]]
    names = names_by_seat(deals)
    seats = range(1, 1 + len(names))
    tallied = any(deal["score"] for deal in deals)
    sums = [sum(row["marks" if tallied else "amount"] or 0 for row in ledger if row["seat"] == seat) for seat in seats]
    beside = [sum(paid_beside(row) or 0 for row in ledger if row["seat"] == seat and not tallied) for seat in seats]
    pots = sum(deal["ledger"][0]["pot"] or 0 for deal in deals if deal["ledger"])
    rest = sum(sums) + pots - sum(beside)
    unit = (ledger[0] if ledger else head)["unit"] or ""
    euros = "money" in t and not tallied
    write: Write = partial(format_entry, unit=unit, t=t) if euros else format_signed
    lying = ledger_columns([(deal["before"], deal["after"]) for deal in deals], t, write)
    before = deals[0]["before"] if deals else None
    opening = (before.totals or totals_with_rulings(before) or ()) if before else ()
    counts = verdicts or Counter(deal["verdict"] for deal in deals)
    return SessionSheet(
        id=head["id"],
        title=session_title(head["event"], head["id"], t),
        facts=_facts(head, t),
        unit=column_unit(unit, t) if euros else unit_of(unit, t, True),
        names=tuple(" / ".join(each) for each in names),
        verdicts=tuple(sorted(counts.items())),
        rests=say(rests_message(sum(counts.values()), bases), t["lang"]) if bases is not None else "",
        entries=tuple(
            sheet_row(deal, deal_row(deal, t), len(seats), tuple(column.cells[n] for column in lying), broken, t, write)
            for n, deal in enumerate(deals)
        ),
        count=sum(counts.values()),
        first=start + 1,
        brought=() if tallied or not any(opening) else total_cells(deals[0], "before", names, t, write),
        sums=tuple(
            AmountCell(str(own))
            if tallied
            else AmountCell(write(own - more), "", amount_notes(None, None, None, t, more or None, write))
            for own, more in zip(sums, beside, strict=True)
        ),
        totals=() if tallied or not deals else total_cells(deals[-1], "after", names, t, write),
        pots=t["pot"].format(amount=write(pots)) if pots else "",
        rest=write(rest) if rest else "0",
        columns=tuple(column.title for column in lying),
        broken=_ledger_break(broken, unit if euros else None, t) if broken else None,
        incomplete="; ".join(dict.fromkeys(deal["incomplete"] for deal in deals if deal["incomplete"])),
        tallied=tallied,
        tallies=session_sheets(deals, t),
    )


def _facts(head: Facts, t: Texts) -> tuple[str, ...]:
    """Return the known facts of a session: day, place, table, list, rules, file, note."""
    at = table_and_list(head["table_name"], head["list"], t)
    facts = (format_day(head["date"], t), head["place"], *at, rules_named(head["rules"], t), head["path"], head["note"])
    return tuple(filter(None, facts))


def in_euros(t: Texts) -> Texts:
    """Return the texts of a sheet whose cents are written as euros."""
    return {**t, "money": "euros"}


def _ledger_break(row: Facts, unit: str | None, t: Texts) -> LedgerBreak:
    finding = finding_from_row(row)
    says = finding.text or say(with_amounts(message_of(finding), unit, t), t["lang"], finding.faces)
    return LedgerBreak(row["deal"], row["number"], says)


def sheet_row(
    row: Facts, deal: DealRow, seats: int, left: tuple[str, ...], broken: Facts | None, t: Texts, write: Write
) -> SheetRow:
    """Return a deal with its rows of the ledger: computed values, with others stated, ruled or settled beside them."""
    payments, totals = [AmountCell("")] * seats, [AmountCell("")] * seats
    moved = settled_surplus(row["before"]) != settled_surplus(row["after"])  # by a ruling on this deal
    for each in row["ledger"]:
        place, marks = each["seat"] - 1, each["marks"]
        if marks is not None or row["score"]:
            notes = amount_notes(None, each["ruled_payment"], None, t)
            payments[place] = AmountCell(str(marks or ""), "plus" if marks else "", notes)
            totals[place] = AmountCell(str(each["marks_total"] or 0))
        else:
            payments[place], totals[place] = payment_cell(each, t, write), total_cell(each, moved, t, write)
    rest, off = deal_sum(row, write)
    price = "" if deal.price is None else write(deal.price).removeprefix("+")
    breaks = bool(broken and broken["deal"] == deal.id)
    return SheetRow(deal, tuple(payments), rest, off, tuple(totals), left, breaks, price)


def paid_beside(row: Facts) -> int | None:
    """Return what a seat finally gets besides its payment, by a penalty or by a ruling on totals; None if nothing."""
    paid = [row[key] for key in ("ruled_payment", "marks", "payment", "stated_payment") if row[key] is not None]
    return (row["amount"] or 0) - paid[0] or None if paid else None


def payment_cell(row: Facts, t: Texts, write: Write) -> AmountCell:
    own, stated, ruled = row["payment"], row["stated_payment"], row["ruled_payment"]
    penalty = paid_beside(row)
    if own is None and stated is not None:
        return AmountCell(write(stated), "said", amount_notes(None, ruled, None, t, penalty, write))
    beside = amount_notes(stated if stated != own else None, ruled, None, t, penalty, write)
    return AmountCell(write(own), "plus" if (own or 0) > 0 else "", beside)


def total_cell(row: Facts, moved: bool, t: Texts, write: Write) -> AmountCell:
    """Return a total, with the settled one if a ruling moves it; afterwards that runs beside the computed one."""
    own, stated, settled = row["total"], row["stated_total"], row["settled_total"]
    ruled = settled if settled != own and (moved or own is None) else None
    return AmountCell(
        in_brackets(own, write) if row["total_open"] else write(own),
        "said" if row["total_open"] else "",
        amount_notes(stated if stated != own else None, None, ruled, t, None, write),
    )


def in_brackets(total: int | None, write: Write) -> str:
    """Return a total that continues over an open deal, in brackets if known."""
    return f"({write(total)})" if total is not None else write(total)


def settled_surplus(table: LedgerState | None) -> tuple[int | None, ...]:
    """Return by how much each settled total exceeds the computed one; empty if none does."""
    if table is None or table.totals is None or table.settled is None:
        return ()
    both = zip(table.settled, table.totals, strict=False)
    more = tuple(None if one is None or other is None else one - other for one, other in both)
    return more if any(more) else ()


def amount_notes(
    stated: int | None,
    ruled: int | None,
    settled: int | None,
    t: Texts,
    penalty: int | None = None,
    write: Write = format_signed,
) -> tuple[str, ...]:
    """Return the notes beside an amount."""
    amounts = (("b_stated", stated), ("b_ruled", ruled), ("b_penalty", penalty), ("b_settled", settled))
    return tuple(t[key].format(amount=write(amount)) for key, amount in amounts if amount is not None)


def deal_sum(row: Facts, write: Write) -> tuple[str, bool]:
    """Return the sum of a deal's payments and the pot, and whether it is not zero; empty in a game for marks. If
    nothing is computed, the stated payments are added up."""
    ledger = row["ledger"]
    own, stated = [each["payment"] for each in ledger], [each["stated_payment"] for each in ledger]
    amounts = own if None not in own else [] if None in stated or row["score"] else stated
    if not amounts:
        return "", False
    rest = sum(amounts) + ((ledger[0]["pot"] or 0) if amounts is own else 0)
    return (write(rest), True) if rest else ("0", False)


def total_cells(deal: Facts, when: str, names: list[list[str]], t: Texts, write: Write) -> tuple[AmountCell, ...]:
    """Return the totals before or after a deal by the lines of a sheet, noting settled ones that differ, which stand
    alone if none is computed; who is not at the table has the last one."""
    table: LedgerState | None = deal[when]
    if table is None:
        return ()
    away = dict(table.away)
    own = line_totals(table.totals, away, deal["ledger"], names)
    ruled = line_totals(totals_with_rulings(table), away | dict(table.settled_away), deal["ledger"], names)
    return tuple(
        AmountCell(in_brackets(end, write), "" if end is None else "said")
        if each is None
        else AmountCell(write(each), "", amount_notes(None, None, end if end != each else None, t, None, write))
        for each, end in zip(own, ruled, strict=True)
    )


def line_totals(
    totals: Totals, away: dict[str, int | None], ledger: list[Facts], names: list[list[str]]
) -> list[int | None]:
    """Return totals by the lines of a sheet, of whom sits at a line or has left it; the sum, where somebody came back
    under another name."""
    chairs = {row["seat"]: row["chair"] if "chair" in row else row["seat"] for row in ledger}
    here = {line: (totals[chair - 1],) for line, chair in chairs.items()} if totals else {}
    left = {line: (away[own[-1]],) for line, own in enumerate(names, 1) if own[-1] in away}
    both = [here.get(line, ()) + left.get(line, ()) for line in range(1, 1 + len(names))]
    return [sum_if_known(each) if each else None for each in both]
