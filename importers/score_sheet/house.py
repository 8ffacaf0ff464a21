"""The settings of a table whose sheet names no rules: what the sheet has is taken to be played there."""

from typing import Any

from archive.notation.tariff import usual_tariff
from archive.record import Deal
from importers.score_sheet.cells import sheet_words
from importers.score_sheet.rows import RULES_OF_THREE, RowReader

THREE = {"seats": 3, "deck": 24}  # the pack of a table of three
USUAL_DOUBLINGS = 2  # Kontra and Re


def house_of(reader: RowReader, deals: list[Deal], above: str | None) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the house settings and the notes on them. If nobody says the rules of the table, its tariff is unknown,
    and anything unusual that the sheet has is taken to be played there."""
    written = reader.mapping.tariff or above
    tariff = {"tariff": usual_tariff(written)} if written else {}
    if reader.mapping.rules or reader.mapping.house:
        return (reader.mapping.house or {}) | tariff or None, []
    seen = {deal.game.contract for deal in deals if deal.game}
    known = sheet_words()["house"]
    usual = known["three" if reader.spoken.rules == RULES_OF_THREE else "usual"]
    others = [
        contract for contract in (*known["usual"], *known["others"]) if contract in seen and contract not in usual
    ]
    house: dict[str, Any] = {"tariff": "unknown"} | tariff
    notes = [reader.note("house.tariff", "note-tariff-above", text=above)] if above and above == written else []
    house |= {"contracts": [*usual, *others]} if others else {}
    notes += [reader.note("house.contracts", "note-contracts", contracts=", ".join(others))] if others else []
    if len(reader.layout.players) == THREE["seats"]:
        house |= THREE
        notes.append(reader.note("house.seats", "note-three"))
    if any(deal.knocks for deal in deals):
        house["knock"] = "anyone"
        notes.append(reader.note("house.knock", "note-knocks"))
    most = max((each if isinstance(each, int) else len(each) for deal in deals if (each := deal.doubles)), default=0)
    if most > USUAL_DOUBLINGS:
        house["stoss"] = {"limit": most}
        notes.append(reader.note("house.stoss", "note-doublings", n=most))
    if pot := _pot(deals):
        house["stock"] = pot
        notes.append(reader.note("house.stock", "note-pot", amount=pot["amount"]))
    return house, notes


def _pot(deals: list[Deal]) -> dict[str, Any]:
    """Return the setting of the pot if each pays the same into it whenever a deal is thrown in: that amount, and the
    games whose winners or losers it went to, or came from. Else an empty table."""
    paid: list[tuple[str, tuple[int, ...]]] = [
        (deal.game.contract if deal.game else "", tuple(each for each in deal.stated.payments if each))
        for deal in deals
        if deal.stated and deal.stated.payments
    ]
    fees = {amounts for contract, amounts in paid if contract == "none" and amounts}
    fee = fees.pop() if len(fees) == 1 else (0,)
    if len({*fee}) > 1 or fee[0] >= 0:
        return {}
    won_by = dict.fromkeys(contract for contract, amounts in paid if contract not in ("", "none") and sum(amounts) != 0)
    return {"amount": -fee[0], "won_by": [*won_by]}
