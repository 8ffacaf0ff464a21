"""Payments that follow from one value of a deal, between those who won and those who lost it."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from archive.notation.game_words import words_of_rules
from archive.notation.problem import Problem
from importers.score_sheet.cells import Amount, TableWords, is_one_of, parse_amount, read_game, sheet_words
from importers.score_sheet.outcomes import read_result

RULES = "bavarian"  # if nobody names any
PAIRS, ALONE = 2, 1


class Side(NamedTuple):
    """The names of those who won a deal, and of those who lost it."""

    won: list[str]
    lost: list[str]


def side_of_mark(text: str) -> bool | None:
    """Return whether a mark says that its player won, or None for any other text."""
    if is_one_of(text, "mark_won"):
        return True
    return False if is_one_of(text, "mark_lost") else None


def result_of(text: str) -> bool | None:
    """Return whether a result says that the declarer's side won, or None if it does not say so."""
    if is_one_of(text, "won") or is_one_of(text, "lost"):
        return is_one_of(text, "won")
    try:
        won: bool | None = read_result("", text).get("won") if text else None
    except Problem:
        return None
    return won


def contract_of(text: str) -> str:
    """Return the contract that a text names if nobody names rules, or ""."""
    of = TableWords(RULES, words_of_rules(RULES, Path()), "german", ())
    try:
        return read_game("", text, of)[0].contract
    except Problem:
        return ""


def calls_partner(text: str) -> bool:
    """Return whether a game is one whose declarer has a partner; nobody knows it of one that is not understood."""
    return contract_of(text) in ("", *sheet_words()["parties"]["partner"])


def payments_of_sides(side: Side, value: str) -> dict[str, str] | None:
    """Return the amounts by name: each of two pays or gets the value once; a lone player, from each or to each of the
    others. Return None if the sides are no two parties, or the value is no amount."""
    amount = parse_amount(value)
    sizes = {len(side.won), len(side.lost)}
    if amount is None or not sizes <= {1, 2, 3} or len({*side.won, *side.lost}) != len(side.won) + len(side.lost):
        return None
    if sizes != {PAIRS} and ALONE not in sizes:
        return None
    paid: dict[str, str] = {}
    for party, others, sign in ((side.won, side.lost, "+"), (side.lost, side.won, "-")):
        times = len(others) if len(party) == ALONE else 1
        paid |= {name: f"{sign}{_times(amount, times)}" for name in party}
    return paid


def may_be_of_one(rows: Iterable[tuple[Side, str]]) -> bool:
    """Return whether the values of rows with a lone player may all be what that player pays or gets in sum, not from
    each: all of them can be divided by the number of the others."""
    lone = [
        (max(map(len, side)), amount)
        for side, value in rows
        if ALONE in map(len, side) and (amount := parse_amount(value))
    ]
    units = any(amount.decimals for _, amount in lone)
    return bool(lone) and all((amount.hundredths // (1 if units else 100)) % many == 0 for many, amount in lone)


def _times(amount: Amount, times: int) -> str:
    """Return a multiple of an amount without its sign, written as before."""
    hundredths = abs(amount.hundredths) * times
    has_part = amount.decimals and not amount.is_float
    whole = f"{hundredths // 100},{hundredths % 100:02}" if has_part else str(hundredths // 100)
    return f"{whole} {amount.unit or ''}".strip()
