"""The settings of a table whose sheet names no rules: what the sheet has is taken to be played there."""

from typing import Any

from archive.notation.tariff import usual_tariff
from archive.record import Deal
from importers.score_sheet.cells import sheet_words
from importers.score_sheet.rows import RULES_OF_THREE, RowReader

THREE = {"seats": 3, "deck": 24}  # the pack of a table of three
USUAL_DOUBLINGS, MOST_DOUBLINGS = 2, 4  # Kontra and Re; Sub and one more


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
    if USUAL_DOUBLINGS < most <= MOST_DOUBLINGS:
        house["stoss"] = {"limit": most}
        notes.append(reader.note("house.stoss", "note-doublings", n=most))
    if any(deal.game and "du" in deal.game.words for deal in deals):
        house["du"] = True
        notes.append(reader.note("house.du", "note-contracts", contracts="Du"))
    if pot := _pot(deals):
        house["stock"] = pot
        notes.append(reader.note("house.stock", "note-pot", amount=pot["amount"]))
    return house, notes


def _pot(deals: list[Deal]) -> dict[str, Any]:
    """Return the setting of the pot if each pays the same into it whenever a deal is thrown in: that amount, and the
    games that won all that was in it, or doubled it. Else an empty table."""
    fees, won_by, pot = set[int](), dict[str, None](), 0
    for deal in deals:
        amounts = [amount for amount in (deal.stated and deal.stated.payments) or () if amount]
        contract = deal.game.contract if deal.game else None
        if contract == "none":
            fees |= {*amounts} if len(amounts) not in (1, 2) else {0}  # of somebody alone
        if contract == "none" or (pot and contract and abs(sum(amounts)) == pot):
            won_by |= {} if contract == "none" else {contract: None}
            pot -= sum(amounts)
    return {"amount": -fees.pop(), "won_by": [*won_by]} if len(fees) == 1 and max(fees) < 0 else {}
