"""A deal told in words, for a table whose players are known: seats for their names, cents for whole euros."""

from typing import Any

from msgspec.structs import replace

from archive.notation.spoken_deal import SpokenDeal
from archive.notation.spoken_people import MOST_AT_PLAY
from archive.record import Deal, Double, Source, Stated

IDLE = "sits_out: who has no amount, where four have one"


def seated_deal(spoken: SpokenDeal, players: tuple[str, ...], whole_euros: bool, source: Source | None) -> Deal:
    """Return the deal that a line tells, with seats for the names of the players, and cents for whole euros."""
    each = 100 if whole_euros and not spoken.in_cents else 1
    seats = {name: seat for seat, name in enumerate(players)}
    stated: dict[str, Any] = dict(spoken.stated)
    if "loser" in stated:
        stated["loser"] = seats[stated["loser"]]
    if isinstance(stated.get("virgins"), tuple):
        stated["virgins"] = tuple(seats[name] for name in stated["virgins"])
    if isinstance(stated.get("points"), dict):
        stated["points"] = tuple(stated["points"].get(name) for name in players)
    if isinstance(spoken.payments, dict):
        paid = [spoken.payments.get(name) for name in players]
        stated["payments"] = tuple(None if amount is None else amount * each for amount in paid)
    elif spoken.payments:
        stated["payments"] = tuple(amount * each for amount in spoken.payments)
    sits_out = None if spoken.sits_out is None else tuple(seats[name] for name in spoken.sits_out)
    idle = tuple(seat for seat, amount in enumerate(stated.get("payments", ())) if not amount)
    is_told = sits_out is not None or not idle or len(players) - len(idle) != MOST_AT_PLAY
    doubles: tuple[Double, ...] | int | None = None
    if spoken.doubles is not None:
        named = tuple(Double(seats[name], word) for word, name in spoken.doubles if name is not None)
        doubles = named if len(named) == len(spoken.doubles) else len(spoken.doubles)
    knocks = spoken.knocks
    return Deal(
        source=source,
        dealer=None if spoken.dealer is None else seats[spoken.dealer],
        knocks=tuple(seats[name] for name in knocks) if isinstance(knocks, tuple) else knocks,
        game=None if spoken.game is None else replace(spoken.game, declarer=seats.get(spoken.declarer or "")),
        partner=None if spoken.partner is None else seats[spoken.partner],
        doubles=doubles,
        round=spoken.round,
        sits_out=sits_out if is_told else idle,
        inferred=(
            *(f"players: {part} is {name}, the only one so called" for part, name in spoken.short),
            *(() if is_told else (IDLE,)),
        )
        or None,
        stated=Stated(**stated) if stated else None,
    )
