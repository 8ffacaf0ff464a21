"""Corrections to stated amounts: how far each player's is off, and the payments that settle the difference."""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from archive.judge.types import Judgement
from archive.rules.tables import score_of
from archive.say import Message, message, say
from archive.settle.marks_ledger import marks_of_sides
from archive.settle.rulings import effective_payments, is_left_to_table, ruling_payments, sheet_totals
from archive.settle.types import Totals, add_per_seat, coalesce

Amounts = Literal["payments", "totals", "marks"]
NO_ROWS = (None, None, None)


class Transfer(Struct, frozen=True):
    """One payment between two seats; a seat of None is the pot."""

    payer: int | None
    payee: int | None
    amount: int


class SetRight(Struct, frozen=True):
    """One row of stated amounts that is off. `off` is what each seat is short of (positive) or has too much (negative),
    None if it is not stated or not known. `transfers` are the payments that set it right, none if the stated amounts do
    not add up, so that only lines of the sheet can be rewritten."""

    key: Amounts
    by: Literal["rules", "ruling"]  # what the amounts are compared with
    stated: Totals
    due: Totals
    off: tuple[int | None, ...]
    transfers: tuple[Transfer, ...] = ()


def what_sets_right(judgement: Judgement) -> tuple[SetRight, ...]:
    """Return the rows of stated amounts that are off, the payments of the deal first. Totals that are off only by the
    payments of their deal are not repeated; nothing is returned if nothing is stated, or nothing computed or ruled."""
    stated, settled = judgement.deal.stated, judgement.settlement
    if stated is None or (stated.payments, stated.totals, stated.marks) == NO_ROWS or is_left_to_table(settled):
        return ()
    before = coalesce(judgement.before.stated_totals, judgement.before.totals)
    if not judgement.deal.ruling and stated.marks is None and stated.payments in (None, settled and settled.payments):
        paid = effective_payments(judgement.deal, settled)
        if stated.totals is None or stated.totals == add_per_seat(before, paid):
            return ()
    ruled = ruling_payments(judgement.deal, len(judgement.session.players))
    by: Literal["rules", "ruling"] = "rules" if ruled is None else "ruling"
    if judgement.ruleset is not None and score_of(judgement.ruleset.house) is not None:
        scored = coalesce(ruled, settled.marks if settled else None)
        due = add_per_seat(coalesce(judgement.before.stated_marks, judgement.before.marks), scored)
        marks = row_off("marks", by, marks_of_sides(stated.marks) if stated.marks else None, due)
        return (marks,) if marks else ()
    payable = coalesce(ruled, settled.payments if settled else None)
    pot = settled.pot if settled and ruled is None else None
    payments = row_off("payments", by, stated.payments, payable, pot)
    if stated.totals is None:
        return (payments,) if payments else ()
    in_force = coalesce(ruled, effective_payments(judgement.deal, settled))
    sums = sheet_totals(before, in_force, judgement.deal, len(judgement.session.players))
    alone = sums[-1]
    is_added = payable is None and alone is not None and sum(own or 0 for own in alone) != 0  # rows do not add up
    by_rules = sheet_totals(judgement.before.totals, in_force, judgement.deal, len(judgement.session.players))
    rows = [row_off("totals", by, stated.totals, each) for each in (*sums, *by_rules) if each is not None]
    totals = None if is_added or not all(rows) else next(iter(rows), None)  # one sum with which all agree is enough
    same = payments and totals and payments.off == totals.off
    return tuple(each for each in (payments, None if same else totals) if each)


def row_off(key: Amounts, by: Any, stated: Totals, due: Totals, pot: int | None = None) -> SetRight | None:
    """Return a row of stated amounts beside what is due, or None if none is off. `pot` is what goes into a pot, 0 for
    nothing, None if nobody says."""
    if stated is None or due is None or stated == due or len(stated) != len(due):
        return None
    off = tuple(None if own is None or other is None else own - other for own, other in zip(due, stated, strict=True))
    if not any(off):
        return None
    rest = sum(each or 0 for each in off)
    balanced = None not in off and (rest == 0 or (pot is not None and rest == -pot))
    pays = key == "payments" and balanced
    return SetRight(key, by, stated, due, off, tuple(transfers(off)) if pays else ())


def transfers(off: tuple[int | None, ...]) -> Iterator[Transfer]:
    """Yield a few payments after which nobody is short: equal amounts first, then the largest. The pot covers the
    rest."""
    owed: dict[int | None, int] = {seat: each for seat, each in enumerate(off) if each}
    if rest := -sum(owed.values()):
        owed[None] = rest
    while owed:
        payee, payer = min(
            ((payee, payer) for payee in owed for payer in owed if owed[payee] > 0 > owed[payer]),
            key=lambda pair: (owed[pair[0]] != -owed[pair[1]], -owed[pair[0]], owed[pair[1]]),
        )
        amount = min(owed[payee], -owed[payer])
        yield Transfer(payer, payee, amount)
        owed[payee] -= amount
        owed[payer] += amount
        owed = {key: each for key, each in owed.items() if each}


# --- words ------------------------------------------------------------------------------------------------------------


def differences(players: tuple[str, ...], row: SetRight) -> tuple[Message, ...]:
    """Return a message for each amount: who is short of it, or has it too much."""
    unit = "marks" if row.key == "marks" else "amount"
    way = {True: "too-little", False: "too-much"}
    groups: dict[int, list[str]] = {}
    for name, each in zip(players, row.off, strict=True):
        if each:
            groups.setdefault(each, []).append(name)
    return tuple(
        Message(f"right.{unit}-{way[each > 0]}", {"players": tuple(names), "count": len(names), "amount": abs(each)})
        for each, names in groups.items()
    )


def remedies(players: tuple[str, ...], row: SetRight) -> tuple[Message, ...]:
    """Return the payments that set a row right, or else the lines of the sheet as they ought to read."""
    if row.transfers:
        return tuple(payment_message(players, each) for each in row.transfers)
    return tuple(
        Message(f"right.write-{row.key}", {"player": players[seat], "due": due, "stated": stated})
        for seat, (due, stated) in enumerate(zip(row.due or (), row.stated or (), strict=True))
        if row.off[seat]
    )


def payment_message(players: tuple[str, ...], each: Transfer) -> Message:
    """Return a payment in words, with the pot by its name."""
    if each.payer is None:
        return message("right.from-pot", player=players[each.payee or 0], amount=each.amount)
    if each.payee is None:
        return message("right.into-pot", player=players[each.payer], amount=each.amount)
    return message("right.pays", player=players[each.payer], other=players[each.payee], amount=each.amount)


def right_message(players: tuple[str, ...], row: SetRight) -> Message:
    """Return the message of a row: who has too little or too much, and what sets it right."""
    way = "pay" if row.transfers else "write"
    after = "-after-ruling" if row.by == "ruling" else ""
    return Message(f"right.{way}{after}", {"off": differences(players, row), "mend": remedies(players, row)})


def say_set_right(judgement: Judgement, language: str = "en") -> tuple[str, ...]:
    """Return the remedy of a deal, one text for each row of amounts; empty if nothing is off."""
    players = judgement.session.players
    return tuple(say(right_message(players, row), language) for row in what_sets_right(judgement))


def set_right_report(judgement: Judgement, language: str) -> list[dict[str, Any]]:
    """Return the remedy of a deal as public JSON: `amounts` names the row, `off` is by player, `payments` have `payer`,
    `payee` (null is the pot) and `amount`; `text` is in English, with `text_de` or the like in another language."""
    players = judgement.session.players

    def name(seat: int | None) -> str | None:
        return None if seat is None else players[seat]

    return [
        {
            "amounts": row.key,
            "by": row.by,
            "off": dict(zip(players, row.off, strict=True)),
            "payments": [
                {"payer": name(each.payer), "payee": name(each.payee), "amount": each.amount} for each in row.transfers
            ],
            "text": say(right_message(players, row)),
            **({} if language == "en" else {f"text_{language}": say(right_message(players, row), language)}),
        }
        for row in what_sets_right(judgement)
    ]
