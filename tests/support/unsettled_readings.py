"""The deals of questions that the documents leave open, whose readings are in readings.toml."""

import tomllib
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_toml
from archive.record import Deal, Game, Source
from archive.rules import Ruleset, tables
from archive.settle import facts
from archive.settle.rounds import rounds_after, sets_off
from archive.settle.settle import settle
from archive.settle.types import LedgerState
from support.rulesets import load_rules
from support.tables import judge_one, rules_of
from support.worked_examples import EXAMPLE_2, PLAYERS, played


def judged(deal: str, house: str, rules: str = "bavarian") -> Judgement:
    return judge_one(deal, rules, house)


def rules_with(name: str, house: str) -> Ruleset:
    return load_rules(name, tomllib.loads(house))


# Ben has four Acorns, throws one of them on a Leaf, and leads another under the called Ace.
THROWN_OFF_FIRST = """[[deal]]
dealer = "Dora"
hands = [
    "Anna: GA G7 S8 S7 SK H9 H8 H7",
    "Ben: EA EZ E8 E7 SA EO GO HO",
    "Cem: EK G8 SZ S9 HK HZ EU GU",
    "Dora: E9 GZ GK G9 HA SO HU SU",
]
game = "Cem rufspiel E"
tricks = ["Anna: GA E7 G8 G9", "Anna: S7 SA S9 GK", "Ben: E8"]
"""


def running_away(house: str) -> Any:
    """Return whether a player who was dealt four, and holds three, may run away."""
    return rules_of(judged(THROWN_OFF_FIRST, house)) == []


# Anna runs away, and Ben leads the suit again, or a trump, which Anna lacks.
RUN_AWAY = """[[deal]]
dealer = "Dora"
hands = [
    "Anna: EA EZ EK E7 S8 S7 G8 G7",
    "Ben: E9 E8 EO GO HO SO HA GA",
    "Cem: EU GU HU SU HZ GZ SZ S9",
    "Dora: HK H9 H8 H7 GK G9 SK SA",
]
game = "Ben rufspiel E"
tricks = ["Anna: E7 E8 S9 G9", {}]
"""


def after_run_away(house: str) -> Any:
    """Return whether the Ace may be withheld from the next lead of its suit, and thrown on a trump."""
    plays = ('"Ben: E9 SZ GK EK"', '"Ben: HA HZ HK EA"')
    return tuple(rules_of(judged(RUN_AWAY.format(play), house)) == [] for play in plays)


def from_a_ten(house: str) -> Any:
    """Return whether Ben may run away from the called Ten with three others."""
    hands = '"Anna: EA GA SA EO GO HA G8 HZ", "Ben: GZ GK G9 G7 H9 H8 H7 SK"'
    deal = f'[[deal]]\ndealer = "Anna"\nhands = [{hands}]\ngame = "Anna rufspiel GZ"\ntricks = ["Ben: G9"]\n'
    return rules_of(judged(deal, f'{house}\ncall.ten = "always"')) == []


def kreuz_without_aces(house: str) -> Any:
    """Return whether Anna, without an Ace, may be one of the partners."""
    deal = '[[deal]]\nhands = ["Anna: EZ EK GZ GK SZ SK HZ HK"]\ngame = "Anna kreuz"\nwith = "Ben"\n'
    return rules_of(judged(deal, f'{house}\ncontracts = ["rufspiel", "kreuz"]')) == []


def after_two_ties(house: str) -> Any:
    """Return the price of a Bierkopf after two ties."""
    before, won = LedgerState(stake=2), played(70, 4, "bierkopf", 2)
    return settle(Deal(game=Game("bierkopf")), PLAYERS, rules_with("bierkopf", house), won, before).price


def thrown_in(house: str) -> Any:
    """Return the deals left of three after one that is thrown in."""
    before = LedgerState(rounds=(("bock", 3),))
    left = rounds_after(before, Deal(game=Game("none")), 4, rules_with("bavarian", house), None, None).rounds
    return dict(left or ())["bock"]


def causes(house: str) -> Any:
    """Return the rounds that a lost Solo sets off, if both a Solo and a game lost alone do."""
    found = judged(EXAMPLE_2, f'{house}\nbock.on = ["solo", "lost-alone"]')
    return sets_off(found.ruleset.house.bock, found.deal, found.ruleset, found.replay, found.settlement)


def hochzeit(house: str) -> Any:
    """Return the price of a Hochzeit won with Schneider, and then with five runners."""
    rules, deal = rules_with("schierling", house), Deal(game=Game("hochzeit", 0))
    won = played(95, 5, "hochzeit", 3)
    high = replace(won, held=(("EO", "GO", "HO"), (), (), ("SO", "EU")))
    return tuple(settle(deal, PLAYERS, rules, each).price for each in (won, high))


def breakthrough(house: str) -> Any:
    """Return the price of a Durchbruch in Langendorf."""
    taken = replace(
        played(0, 0, "ramsch", None),
        sides=("alone",) * 4, points=(101, 0, 9, 10), tricks_won=(6, 0, 1, 1), declarer=None,
    )  # fmt: skip
    return settle(Deal(game=Game("ramsch")), PLAYERS, rules_with("langendorf", house), taken).price


def limit(house: str) -> Any:
    """Return the payments of example 2 in Langendorf, doubled five times."""
    doubled = 'knocks = ["Anna", "Ben", "Cem", "Dora"]\ndoubles = ["@1.1 Anna kontra"]\n'
    found = judged(EXAMPLE_2 + doubled, house, "langendorf").settlement
    return found.payments if found else None


def schneider_in_marks(house: str) -> Any:
    """Return the marks of 90 card points with the chalk."""
    deal, with_chalk = Deal(game=Game("bauernstoss", 0, "H")), LedgerState(chalk=0, game_deals=1, marks=(0,) * 4)
    found = settle(deal, PLAYERS, rules_with("bauernstoss", house), played(90, 6, "solo", 2), with_chalk)
    return found.marks[0] if found.marks else None


CLOSED_AT_ONCE = """format = "schafkopf-record/1"
rules = "sixty-six"
players = ["Anna", "Ben"]
[house]
{}
[[deal]]
dealer = "Anna"
hands = ["Anna: SU GZ EO EK SK", "Ben: HA EA SZ HO GA"]
talon = "EU HK SO HZ GU GO HU SA EZ GK"
game = "sixty-six"
tricks = ["Ben: GA GZ", "Ben: HO SU", "Ben: EA EK", "Ben: SZ SK", "Ben: HA EO"]
events = ["@1.2 Anna closes"]
"""


def no_trick(house: str) -> Any:
    """Return the match points of a talon closed in vain before the other had a trick; and what is noted of the
    other."""
    found = list(judge_stream(read_toml(CLOSED_AT_ONCE.format(house).encode(), Source("two.toml"))))
    settled = found[-1].settlement if isinstance(found[-1], Judgement) else None
    return (settled.marks, settled.lines[0].text.partition(", and ")[2]) if settled else None


def discards(house: str) -> Any:
    """Return the highest trumps in a row with one of them on the table: in a Simple Game, in a Solo."""
    rules = rules_with("palatinate", house)
    lying = replace(played(0, 0, "solo", None), held=(("EO", "HO"), ("SO",), (), ()), laid=("GO", "S7"))
    counted = (facts.counts_table(rules.house, rules.contracts[name]) for name in ("simple", "solo"))
    return tuple(facts.runners(lying, tables(rules, "solo", "G"), each) for each in counted)


QUESTIONS: dict[str, Callable[[str], Any]] = {
    "Four cards of the called suit": running_away,
    "After the run-away": after_run_away,
    "A called Ten or King": from_a_ten,
    "Aces of the partners in a Kreuz": kreuz_without_aces,
    "Two ties in a row": after_two_ties,
    "A deal that is thrown in during a round": thrown_in,
    "Several causes of a round in one deal": causes,
    "Bonuses beside a Hochzeit": hochzeit,
    "Price of a Durchmarsch": breakthrough,
    "The limit of wins and losses": limit,
    "Schneider where marks are scored": schneider_in_marks,
    "Discarded trumps and the highest trumps": discards,
    "No trick in Sixty-six": no_trick,
}
