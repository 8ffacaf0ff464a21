"""Document 001: four of its worked examples as records, and deals played out to given points."""

from archive.play.types import Replay
from archive.record import Deal, Game
from archive.rules import Ruleset
from archive.settle.settle import settle
from archive.settle.types import Settlement
from support.rulesets import load_rules

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
TRICKS = (  # of a Rufspiel on the Gras-Ass that Anna and Dora win with 99
    "Anna: EO GO H7 H9", "Anna: HO E8 HK HU", "Anna: EU S9 EZ SO", "Dora: SU HA S8 SK", "Dora: GA G9 GK GZ",
    "Dora: H8 GU E9 SZ", "Anna: HZ SA S7 G8", "Anna: EA G7 EK E7",
)  # fmt: skip

HANDS = (
    "Anna: EO HO EU GU HA HZ EA G9", "Ben: GO G7 E8 GK S9 SA S8 E9", "Cem: SZ EZ EK SK H7 S7 HK GZ",
    "Dora: GA SO HU SU H9 H8 E7 G8",
)  # fmt: skip

EXAMPLE_1 = """
[[deal]]
dealer = "Dora"
hands = [
    "Anna: SK G7 S8 H8 SU HZ E7 G8",
    "Ben: EO GO HO S7 G9 GA EA GZ",
    "Cem: SO EU SA EZ SZ H9 HA S9",
    "Dora: GU HK HU E9 GK EK H7 E8",
]
game = "Ben rufspiel S"
tricks = [
    "Anna: SK S7 SA EK",
    "Cem: H9 HK H8 HO",
    "Ben: EO HA H7 HZ",
    "Ben: GO SO HU SU",
    "Ben: EA EZ E9 E7",
    "Ben: GA EU GK G8",
    "Cem: SZ GU S8 GZ",
    "Dora: E8 G7 G9 S9",
]
"""

EXAMPLE_2 = """
[[deal]]
dealer = "Dora"
hands = [
    "Anna: EU EA S9 HA SA HZ SZ SK",
    "Ben: SO GU S7 EK H8 H7 HK GZ",
    "Cem: EO GO HO HU G8 E9 EZ E7",
    "Dora: SU G7 GK GA S8 E8 H9 G9",
]
game = "Cem solo G"
tricks = [
    "Anna: SK S7 EO S8",
    "Cem: HU G9 EU GU",
    "Anna: HZ H8 GO H9",
    "Cem: E7 E8 EA EK",
    "Anna: SA H7 E9 GA",
    "Dora: GK SZ GZ HO",
    "Cem: G8 G7 S9 SO",
    "Ben: HK EZ SU HA",
]
"""

EXAMPLE_3 = f"""
[[deal]]
dealer = "Dora"
hands = {list(HANDS)}
game = "Anna rufspiel G"
tricks = {list(TRICKS)}
"""

EXAMPLE_4 = """
[[deal]]
dealer = "Ben"
hands = [
    "Anna: S7 S8 HO H8 HK E9 SO GO",
    "Ben: HU SU S9 H7 SK G7 G9 EO",
    "Cem: EU GU EA EZ EK GA GZ HA",
    "Dora: SZ E8 GK SA H9 E7 HZ G8",
]
game = "Cem wenz tout"
doubles = ["@1.1 Dora kontra"]
tricks = [
    "Cem: GA G8 GO G9",
    "Cem: EU SA S7 SU",
    "Cem: GU H9 HO HU",
    "Cem: EA E8 E9 EO",
    "Cem: HA HZ HK H7",
    "Cem: EZ E7 S8 G7",
    "Cem: GZ GK SO S9",
    "Cem: EK SZ H8 SK",
]
"""


def played(points: int, tricks: int, contract: str, partner: int | None) -> Replay:
    """Return a finished play in which the declarer's side (Anna, and a partner) made so many points and tricks.

    Nobody has two top trumps in a row, so that no runners are paid.
    """
    sides = tuple("declarer" if seat in (0, partner) else "defence" for seat in range(4))
    winners = (0,) * tricks + (1,) * (8 - tricks)
    last = 0 if tricks == 8 else 7
    worth = [0] * 8
    worth[0] = points if tricks else 0
    worth[last] = 120 - points if tricks != 8 else 120
    tops = {"wenz": ("EU", "GU"), "rufspiel": ("EO", "GO")}.get(contract, ("EO", "GO"))
    return Replay(
        active=(0, 1, 2, 3),
        playing=(0, 1, 2, 3),
        dealer=3,
        dealt=((tops[0],), (tops[1],), (), ()),
        held=((tops[0],), (tops[1],), (), ()),
        steps=(),
        leaders=winners,
        winners=winners,
        trick_points=tuple(worth),
        declarer=0,
        partner=partner,
        sides=sides,  # type: ignore[arg-type]
        points=(points, 120 - points, 0, 0),
        tricks_won=(tricks, 8 - tricks, 0, 0),
        complete=True,
        findings=(),
        missing=(),
    )


def bavarian(**house: object) -> Ruleset:
    return load_rules("bavarian", dict(house))


def settled(contract: str, points: int, tricks: int, *words: str, rules: Ruleset | None = None) -> Settlement:
    partner = 3 if contract == "rufspiel" else None
    suit = {"rufspiel": "E", "solo": "G"}.get(contract)
    game = Game(contract, 0, suit, "EA" if contract == "rufspiel" else None, words)
    return settle(Deal(game=game), PLAYERS, rules or bavarian(), played(points, tricks, contract, partner))
