"""Deals as a line of a list: of the newest ones, or of the score sheet of a session."""

from functools import cache

from msgspec import Struct

from archive.cards import suit_name
from archive.rules import bundled, load
from archive.settle.ruled import settled_totals
from archive.settle.types import Table, Totals
from archive.text.session_ledger import Facts
from archive.text.wording import Texts, word_of
from archive.web.deal.page import runners_words, session_title
from archive.web.deal.settlement import format_signed


class DealRow(Struct, frozen=True):
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


class AmountCell(Struct, frozen=True):
    """An amount of a seat, as computed, else as stated (its kind is `said` then); and what stands beside it."""

    text: str
    kind: str = ""  # plus, said
    notes: tuple[str, ...] = ()  # what is stated otherwise, ruled, settled


class SheetRow(Struct, frozen=True):
    """A deal on the sheet: what each seat is paid, what that and the pot come to, where the totals stand."""

    deal: DealRow
    payments: tuple[AmountCell, ...]
    rest: str  # nothing, where it adds up; empty where that is not known
    off: bool  # it does not add up
    totals: tuple[AmountCell, ...]
    left: tuple[str, ...]  # a cell for each column of the table
    breaks: bool  # here the books break first


def deal_row(row: Facts, t: Texts) -> DealRow:
    """A row of the view `outcomes`."""
    details = (
        t["points_only"].format(points=row["side_points"]) if row["side_points"] is not None else "",
        t["schwarz"] if row["schwarz"] else t["schneider"] if row["schneider"] else "",
        runners_words(row["runners"], t) if row["runners_paid"] else "",
        f"×{row['multiplier']}" if (row["multiplier"] or 1) > 1 else "",
    )
    outcome = t["won" if row["won"] else "lost"] if row["won"] is not None else ""
    return DealRow(
        id=row["deal"],
        number=row["number"],
        session=row["session"],
        date=row["date"],
        event=session_title(row["event"], row["session"], t),
        game=row_game_title(row, t),
        players=" + ".join(filter(None, (row["declarer"] or row["loser"], row["partner"]))),
        outcome=t["loses"] if row["loser"] else outcome,
        details=", ".join(filter(None, details)),
        price=row["price"],
        verdict=row["verdict"],
    )


def row_game_title(row: Facts, t: Texts) -> str:
    """The game of a row of the view `outcomes`, with its words and its bid where the row has them."""
    unplayed = {"none": t["thrown_in"], "misdeal": t["misdeal"], None: t["no_game"]}
    if row["contract"] in unplayed:
        return unplayed[row["contract"]]
    told = row.get("words") or ("tout" if row["tout"] else "")
    bid = t["for_trumps" if row.get("lengths") else "for_points"].format(points=row["bid"]) if row.get("bid") else ""
    suit = suit_name(row["suit"], t["chosen"] or row["faces"])
    title = title_of_contract_id(row["contract"], row["rules"])
    return " ".join(filter(None, (title, suit, *(word_of(word, t) for word in told.split()), bid)))


def title_of_contract_id(contract: str, rules: str | None = None) -> str:
    """The title of a contract in a ruleset; where that is not at hand, in one that has it, else its id as words."""
    known = (titles[contract] for name in (rules, *bundled()) if contract in (titles := _titles(name)))
    return next(known, contract.replace("-", " ").capitalize())


@cache
def _titles(rules: str | None) -> dict[str, str]:
    """The titles of the contracts of a bundled ruleset, by id."""
    found = load(rules)[0] if rules in bundled() else None
    return {key: row.title for key, row in found.contracts.items()} if found else {}


def sheet_row(row: Facts, deal: DealRow, seats: int, left: tuple[str, ...], broken: Facts | None, t: Texts) -> SheetRow:
    """A deal with its rows of the ledger. Beside what is computed stands what is stated otherwise, ruled, settled."""
    payments, totals = [AmountCell("")] * seats, [AmountCell("")] * seats
    moved = settled_surplus(row["before"]) != settled_surplus(row["after"])  # by a ruling on this deal
    for each in row["ledger"]:
        in_marks = each["marks"] is not None or bool(row["game"])
        payments[each["seat"] - 1] = marks_cell(each, t) if in_marks else payment_cell(each, t)
        total = str(each["marks_total"] or 0) if in_marks else None
        totals[each["seat"] - 1] = total_cell(each, moved, t) if total is None else AmountCell(total)
    rest, off = deal_sum(row)
    breaks = bool(broken and broken["deal"] == deal.id)
    return SheetRow(deal, tuple(payments), rest, off, tuple(totals), left, breaks)


def payment_cell(row: Facts, t: Texts) -> AmountCell:
    own, stated, ruled = row["payment"], row["stated_payment"], row["ruled_payment"]
    if own is None and stated is not None:
        return AmountCell(format_signed(stated), "said", amount_notes(None, ruled, None, t))
    beside = amount_notes(stated if stated != own else None, ruled, None, t)
    return AmountCell(format_signed(own), "plus" if (own or 0) > 0 else "", beside)


def marks_cell(row: Facts, t: Texts) -> AmountCell:
    return AmountCell(
        str(row["marks"] or ""), "plus" if row["marks"] else "", amount_notes(None, row["ruled_payment"], None, t)
    )


def total_cell(row: Facts, moved: bool, t: Texts) -> AmountCell:
    """The settled total stands where a ruling moves it: from there on it runs beside the computed one."""
    own, stated, settled = row["total"], row["stated_total"], row["settled_total"]
    ruled = settled if settled != own and (moved or own is None) else None
    return AmountCell(format_signed(own), "", amount_notes(stated if stated != own else None, None, ruled, t))


def settled_surplus(table: Table | None) -> tuple[int | None, ...]:
    """By how much the settled totals are more than the computed ones."""
    if table is None or table.totals is None or table.settled is None:
        return ()
    both = zip(table.settled, table.totals, strict=False)
    more = tuple(None if one is None or other is None else one - other for one, other in both)
    return more if any(more) else ()


def amount_notes(stated: int | None, ruled: int | None, settled: int | None, t: Texts) -> tuple[str, ...]:
    """What stands beside an amount."""
    each = (("b_stated", stated), ("b_ruled", ruled), ("b_settled", settled))
    return tuple(t[key].format(amount=format_signed(amount)) for key, amount in each if amount is not None)


def deal_sum(row: Facts) -> tuple[str, bool]:
    """What the payments of a deal and what went into the pot come to, and whether that is not nothing; in a game for
    marks nothing is paid. Where nothing is computed it is what is stated, where there is no pot."""
    ledger = row["ledger"]
    own, stated = [each["payment"] for each in ledger], [each["stated_payment"] for each in ledger]
    known = own if None not in own else [] if None in stated or row["game"] else stated
    if not known:
        return "", False
    rest = sum(known) + ((ledger[0]["pot"] or 0) if known is own else 0)
    return (format_signed(rest), True) if rest else ("0", False)


def opening_totals(deals: list[Facts], seats: int, t: Texts) -> tuple[AmountCell, ...]:
    """The totals before the first of some deals, where there are any."""
    before = deals[0]["before"] if deals else None
    if before is None or not any(before.totals or settled_totals(before) or ()):
        return ()
    return total_cells(before.totals, settled_totals(before), seats, t)


def closing_totals(deals: list[Facts], seats: int, t: Texts) -> tuple[AmountCell, ...]:
    """The totals after the last of some deals."""
    after = deals[-1]["after"] if deals else None
    return () if after is None else total_cells(after.totals, settled_totals(after), seats, t)


def total_cells(totals: Totals, settled: Totals, seats: int, t: Texts) -> tuple[AmountCell, ...]:
    """Totals of the seats of a sheet, with the settled ones where these are others."""
    own = [*(totals or ()), *[None] * seats][:seats]
    both = zip(own, [*(settled or ()), *[None] * seats][:seats], strict=True)
    return tuple(
        AmountCell(format_signed(each), "", amount_notes(None, None, end if end != each else None, t))
        for each, end in both
    )
