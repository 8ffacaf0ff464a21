"""Forty deals of ours, that the writers of `tests/support/writers` put into every format that can hold them.

Legal random deals of one evening at one table, with every contract that is played at it, Touts among them, knocks,
Kontra and Retour by seat, stated points, runners, price and payments; the names have all that names of a platform can
have.
"""

from functools import cache
from random import Random

from msgspec.structs import replace

from archive.generate import deal, session
from archive.record import Deal, Session

PLAYERS = ("Resi", "Ex-Sauspieler #11557", "vroni_7", "Der Xaver")
CONTRACTS = ("rufspiel", "rufspiel", "rufspiel", "solo", "wenz", "farbwenz", "geier", "ramsch")
TOUTS = ("solo", "wenz")
HOUSE = {
    "tariff": "10/20/50",
    "contracts": ["rufspiel", "wenz", "farbwenz", "geier", "solo", "ramsch"],
    "knock": "anyone",
}
STATED = ("points", "won", "runners", "schneider", "schwarz", "price", "payments")


@cache
def forty() -> tuple[Session, tuple[Deal, ...]]:
    """Return the head of the evening and its deals, numbered, each with its dealer. The same on every call."""
    rng, evening = Random(40), session("bavarian", HOUSE, players=PLAYERS, date="2026-04-15")
    made = []
    for number in range(40):
        contract = CONTRACTS[number % len(CONTRACTS)]
        tout = contract in TOUTS and number % 16 > 7
        found = deal(rng, evening, contract, dealer=(3 + number) % 4, tout=tout, state=STATED)
        made.append(replace(found, no=number + 1, id=str(1_550_000_000 + number)))
    return evening, tuple(made)
