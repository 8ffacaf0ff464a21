"""Where the documents disagree, or leave a thing open: every reading is a setting, and readings of one question give
different results.

The table is in readings.toml; from it `pytest --update` writes docs/rules/readings.md.
"""

import tomllib
from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from support.expats_club import ramsch
from support.muss_hands import ACES_AND_TENS, THREE_ACES, VOID_ALONE
from support.paths import ROOT
from support.rulesets import load_rules
from support.tables import judge_one, judge_text, rules_of
from support.unsettled_readings import QUESTIONS as UNSETTLED
from support.worked_examples import EXAMPLE_1, EXAMPLE_2, EXAMPLE_4, PLAYERS, played, settled

from archive.judge import judge
from archive.play.types import Replay, Step
from archive.record import Deal, Game, Session
from archive.rules import Ruleset, bundled, load, tables
from archive.settle.ledger import empty_ledger, next_state
from archive.settle.ramsch import find_loser
from archive.settle.settle import settle

PAGE = ROOT / "docs" / "rules" / "readings.md"


class Row(NamedTuple):
    """A reading of a question. `house` is the setting as a record writes it under [house], over those of `rules`."""

    question: str
    reading: str
    house: str
    source: str
    gives: Any
    rules: str = "bavarian"


ONE_SUM = ("Schwarz", "Run-away")  # the documents say the same in different words


def as_given(value: Any) -> Any:
    """Return a value of the file as deals give it: lists as tuples, and None for what is not known."""
    if isinstance(value, list):
        return tuple(map(as_given, value))
    return None if value == "unknown" else value


TABLE = tuple(
    Row(question, reading, **each | {"gives": as_given(each["gives"])})
    for questions in tomllib.loads((ROOT / "tests" / "support" / "readings.toml").read_text("utf-8")).values()
    for question, readings in questions.items()
    for reading, each in readings.items()
)


def ruleset(house: str, name: str = "bavarian") -> Ruleset:
    return load_rules(name, tomllib.loads(house))


# --- what a small deal gives under a reading --------------------------------------------------------------------------


def allowed(house: str, deal: str, more: str) -> bool:
    found = judge_one(f"{deal}{more}\n", house=house)
    return rules_of(found) == []


def doubling(house: str) -> Any:
    """Kontra before the second card, before an own card, answered in trick 2, doubled again in trick 3; four times
    before one card."""
    told = (
        '"@1.2 Dora kontra"',
        '"@1.4 Dora kontra"',
        '"@1.4 Dora kontra", "@2.4 Ben re"',
        '"@1.4 Dora kontra", "@2.4 Ben re", "@3.3 Dora double"',
        '"@1.2 Dora kontra", "@1.2 Ben re", "@1.2 Dora double", "@1.2 Ben double"',
    )
    return tuple(allowed(house, EXAMPLE_1, f"doubles = [{each}]") for each in told)


def cutting(house: str) -> Any:
    """The player to the dealer's right cuts, the one to the left."""
    return tuple(
        allowed(house, '[[deal]]\ndealer = "Dora"\ngame = "none"\n', f'cut = "{who}"') for who in ("Cem", "Anna")
    )


def cutting_deep(house: str) -> Any:
    """No card is taken off, one card is."""
    deal = '[[deal]]\ndealer = "Dora"\ngame = "none"\n'
    return tuple(allowed(house, deal, f'cut = "Cem {off}"') for off in (0, 1))


def dealing(house: str) -> Any:
    """Two packets of four, four of two."""
    deal = '[[deal]]\ndealer = "Dora"\ngame = "none"\n'
    return tuple(allowed(house, deal, f'packets = "{packets}"') for packets in ("4 4", "2 2 2 2"))


def answering(house: str) -> Any:
    """The declarer answers, the partner answers."""
    return tuple(allowed(house, EXAMPLE_1, f'doubles = ["@1.2 Dora kontra", "@1.2 {by} re"]') for by in ("Ben", "Cem"))


def schneider(house: str) -> Any:
    """The declarer's side with 90 and with 91, and with 30."""
    rules = ruleset(house)
    return tuple(settled("rufspiel", points, 4, rules=rules).price for points in (90, 91, 30))


def bonuses(house: str) -> Any:
    """A Rufspiel at 10/20/50 with 90, with 91, with every trick."""
    rules = ruleset(house)
    return tuple(settled("rufspiel", *made, rules=rules).price for made in ((90, 6), (91, 6), (120, 8)))


def paying(house: str) -> Any:
    """The payments of the declarer and the next player, of a Rufspiel and of a Solo, at 10/20/50."""
    rules = ruleset(f'tariff = "10/20/50"\n{house}')
    found = (settled(contract, 61, 5, rules=rules).payments for contract in ("rufspiel", "solo"))
    return tuple(each[:2] if each else None for each in found)


def solo_in_herz(house: str) -> Any:
    """Whether it is bid over a Solo of who sits before, and its price at 10/20/50."""
    text = '[[deal]]\ndealer = "Dora"\ngame = "Anna solo H"\nknocks = 0\ndoubles = 0\n'
    found = judge_one(f"{text}stated = {{ points = 70, runners = 1 }}\n", house=f'tariff = "10/20/50"\n{house}')
    calls = "Anna solo, Ben solo H, Cem pass, Dora pass, Anna pass"
    return bids(house, calls, "Ben solo H"), found.settlement and found.settlement.price


def card_back(house: str) -> Any:
    """A trump for the trump, a plain card."""
    deal = '[[deal]]\ndealer = "Dora"\ngame = "Ben hochzeit"\nwith = "Anna"\n'
    each = (f'exchange = ["Ben > Anna: H8", "Anna > Ben: {card}"]' for card in ("HU", "GA"))
    own = (
        f'contracts = ["rufspiel", "hochzeit"]\nhochzeit.when = "before"\n{house.replace(" = {", ".").replace("}", "")}'
    )
    return tuple(allowed(own.replace("hochzeit. ", "hochzeit."), deal, exchange) for exchange in each)


def nothing_in_hand(house: str) -> Any:
    """The amount that each pays into a pot for cards thrown in, where somebody has nothing that counts."""
    text = '[[deal]]\ndealer = "Dora"\nhands = ["Anna: E9 E8 E7 G9 G8 G7 S9 S8"]\ngame = "none"\n'
    found = judge_one(text, house=f"stock = {{ amount = 10 }}\n{house}")
    return found.settlement and found.settlement.payments and found.settlement.payments[0]


def solo_suit(house: str) -> Any:
    """A Solo in a suit of which the declarer has no card but a lord."""
    return allowed(
        house, '[[deal]]\ndealer = "Dora"\nhands = ["Anna: EO GO EU GU HA HZ GA SA"]\n', 'game = "Anna solo E"'
    )


def tout(house: str) -> Any:
    """Example 4 of 001: a Wenz Tout with two runners, doubled."""
    found = judge_one(EXAMPLE_4, house=house)
    return found.settlement.price


def schwarz(house: str) -> Any:
    return settled("rufspiel", 120, 8, rules=ruleset(house)).price


def virgins(house: str) -> Any:
    """One player without a trick and one without points; two without a trick."""
    rules = ruleset(f'all_pass = "ramsch"\n{house}')
    both = ramsch((50, 0, 0, 70), (3, 0, 1, 4)), ramsch((50, 0, 0, 70), (4, 0, 0, 4))
    return tuple(settle(Deal(game=Game("ramsch")), PLAYERS, rules, each).payments for each in both)


def running_away(house: str) -> Any:
    """The called Ace with two and with three others: whether a lower card may be led."""
    game = 'game = "Anna rufspiel E"\n'
    hands = 'hands = ["Ben: EA E9 {} H8 H9 HZ SZ", "Anna: EK EO GO HO SO EU GU G7"]\n'
    deal = '[[deal]]\ndealer = "Anna"\n' + hands + game
    return tuple(allowed(house, deal.format(each), 'tricks = ["Ben: E9"]') for each in ("E8 S7", "E8 EZ"))


def all_pass(house: str) -> Any:
    """What may follow when all pass, and what each pays for throwing in."""
    text = '[[deal]]\ndealer = "Dora"\nauction = ["Anna pass", "Ben pass", "Cem pass", "Dora pass"]\ngame = "{}"\n'
    games = []
    for game in ("none", "ramsch", "Anna rufspiel E muss"):
        found = judge_one(text.format(game), house=house)
        if set(rules_of(found)) <= {"contract-not-played"}:
            games.append(game)
    out = judge_one(text.format("none"), house=house)
    return tuple(games), out.settlement.payments[0]


def march(house: str) -> Any:
    """All tricks; 95 points; 105 points; 95 points announced in time."""
    rules = ruleset(house)
    compiled = tables(rules, "ramsch")
    plain = (
        ramsch((120, 0, 0, 0), (8, 0, 0, 0)),
        ramsch((95, 25, 0, 0), (7, 1, 0, 0)),
        ramsch((105, 15, 0, 0), (7, 1, 0, 0)),
    )
    return (
        *(bool(find_loser(each, compiled, rules.house, {}).march) for each in plain),
        bool(find_loser(plain[1], compiled, rules.house, {0: True}).march),
    )


def lying(*tricks: tuple[int, int, str]) -> Replay:
    """A Ramsch in which the first three seats have 40 points in a trick each, and the fourth a trick of nothing.
    Tricks are their winner, their leader, their cards."""
    steps = tuple(
        Step(0, number, place + 1, (leader + place) % 4, card, None, None, None, None, None, 0)
        for number, (_, leader, cards) in enumerate(tricks, 1)
        for place, card in enumerate(cards.split())
    )
    made = ramsch((40, 40, 40, 0), (1, 1, 1, 1))
    values = {"winners": tuple(winner for winner, _, _ in tricks), "steps": steps, "trick_points": (40, 40, 40, 0)}
    return Replay(**{name: getattr(made, name) for name in Replay.__struct_fields__} | values)


def tie(house: str) -> Any:
    """Three are equal. Anna took four trumps, Ben's Ober was taken by Dora, Cem took a trick with one; then, without
    Obers, Anna took four trumps and Ben played the highest."""
    rules = ruleset(house)
    with_obers = lying((0, 0, "HA H9 H8 H7"), (1, 1, "EA EZ E9 E8"), (2, 2, "SO SA SK S9"), (3, 3, "EO HK GO S7"))
    without = lying((0, 0, "HA H9 H8 H7"), (1, 1, "EU EZ E9 E8"), (2, 2, "SA SK S9 S8"), (3, 3, "GA GK G9 G8"))
    found = (find_loser(each, tables(rules, "ramsch"), rules.house, {}).loser for each in (with_obers, without))
    return tuple(None if seat is None else PLAYERS[seat] for seat in found)


def bids(house: str, calls: str, game: str) -> bool:
    told = ", ".join(f'"{call}"' for call in calls.split(", "))
    found = judge_one(f'[[deal]]\ndealer = "Dora"\nauction = [{told}]\ngame = "{game}"\n', house=house)
    return set(rules_of(found)) <= {"contract-not-played"}


def ranking(house: str) -> Any:
    """Whether a Wenz outbids a Geier, a Bettel a Wenz, a Solo a Bettel."""
    pairs = (("geier", "wenz"), ("wenz", "bettel"), ("bettel", "solo S"))
    house = f'contracts = ["rufspiel", "bettel", "geier", "wenz", "solo"]\n{house}'
    return tuple(
        bids(house, f"Anna {low}, Ben {high}, Anna good, Cem pass, Dora pass", f"Ben {high}") for low, high in pairs
    )


def taking_back(house: str) -> Any:
    """Who opened lets the other play; who outbid lets the first play."""
    return (
        bids(house, "Anna play, Ben wenz, Anna good, Cem pass, Dora pass", "Ben wenz"),
        bids(house, "Anna play, Ben wenz, Anna hold, Ben good, Cem pass, Dora pass", "Anna solo S"),
    )


def outbidding(house: str) -> Any:
    """Who outbids names the game, and says no more than to play too."""
    return tuple(
        bids(house, f"Anna play, Ben {call}, Anna good, Cem pass, Dora pass", "Ben wenz") for call in ("wenz", "play")
    )


def calling(house: str) -> Any:
    """A void suit, a Ten with three Aces, a King with Aces and Tens: in a usual game, and where one must play."""
    games = ((VOID_ALONE, "E void"), (VOID_ALONE, "E muss void"), (THREE_ACES, "GZ"), (THREE_ACES, "GZ muss"))
    games += ((ACES_AND_TENS, "EK muss"),)
    of_call = {"calls-own-card", "no-card-of-called-suit", "wrong-call"}
    found = []
    for hand, call in games:
        each = judge_one(f'[[deal]]\nhands = ["Anna: {hand}"]\ngame = "Anna rufspiel {call}"\n', house=house)
        found.append(not of_call & set(rules_of(each)))
    return tuple(found)


def half(house: str) -> Any:
    """60 : 60: whether the declarer's side has won, what it pays, and what lies on the table afterwards."""
    deal, rules = Deal(game=Game("rufspiel", 0, "E", "EA"), dealer=3), ruleset(house)
    found = settle(deal, PLAYERS, rules, played(60, 4, "rufspiel", 3), empty_ledger(4))
    return found.won, found.payments, next_state(empty_ledger(4), deal, 4, 3, found, rules).stake


def pot(house: str) -> Any:
    """What is left of a pot of 48 after a Rufspiel won, and after a Solo lost."""
    found = (judge_text(f"{deal}carry = {{ stock = 48 }}\n", house=house)[0] for deal in (EXAMPLE_1, EXAMPLE_2))
    return tuple(each.after.stock for each in found)


def sie(house: str) -> Any:
    """What each pays at 10/20/50 for the six top trumps of 24 cards."""
    short = {"deck": 24, "tariff": "10/20/50"} | tomllib.loads(house)
    session = Session(rules="bavarian", players=PLAYERS, house=short)
    deal = Deal(game=Game("sie", 0), dealer=3, hands=(("EO", "GO", "HO", "SO", "EU", "GU"), None, None, None))
    found = judge(session, deal, 1, empty_ledger(4)).settlement
    return found.price if found else None


def in_marks(house: str, points: int, tricks: int, jack: bool = True) -> Any:
    """The marks of who made trumps, with the Jack of clubs or without it, and of the others, in a first deal."""
    play = played(points, tricks, "bauernstoss", 2)
    values = {name: getattr(play, name) for name in Replay.__struct_fields__}
    values |= {"sides": ("declarer", "defence") * 2, "dealt": (("EU",), (), (), ()) if jack else ((), ("EU",), (), ())}
    deal = Deal(game=Game("bauernstoss", 0, "H"))
    found = settle(deal, PLAYERS, ruleset(house, "bauernstoss"), Replay(**values), empty_ledger(4))
    return found.marks[:2] if found.marks else None


def schneider_in_marks(house: str) -> Any:
    """The marks of who made trumps for 89 points, for 91, and for every trick."""
    return tuple(in_marks(house, *made)[0] for made in ((89, 6), (91, 6), (120, 8)))


def first_deal(house: str) -> Any:
    """60 : 60, where the Jack of clubs was dealt to who made trumps, and to the others."""
    return in_marks(house, 60, 4), in_marks(house, 60, 4, jack=False)


QUESTIONS: dict[str, Callable[[str], Any]] = {
    "Stoss until when": doubling,
    "Who answers a Stoss": answering,
    "Schneider": schneider,
    "What Schneider pays": bonuses,
    "Who pays whom": paying,
    "Solo suit": solo_suit,
    "Solo in Herz": solo_in_herz,
    "Card back in a Hochzeit": card_back,
    "A hand of nothing": nothing_in_hand,
    "Tout": tout,
    "Schwarz": schwarz,
    "Virgin in a Ramsch": virgins,
    "Run-away": running_away,
    "All pass": all_pass,
    "Durchmarsch": march,
    "Tie in a Ramsch": tie,
    "Ranking": ranking,
    "Nothing to call": calling,
    "Taking a bid back": taking_back,
    "What outbids": outbidding,
    "60 : 60": half,
    "Who wins the pot": pot,
    "Sie": sie,
    "Who cuts": cutting,
    "How deep is cut": cutting_deep,
    "Packets": dealing,
    "Schneider in marks": schneider_in_marks,
    "First deal for marks": first_deal,
    **UNSETTLED,
}


# --- the table holds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.question}: {row.reading}")
def test_a_reading_is_a_setting_and_gives_what_it_says(row: Row) -> None:
    assert ruleset(row.house, row.rules).cites
    assert QUESTIONS[row.question](row.house) == row.gives


@pytest.mark.parametrize("question", QUESTIONS)
def test_readings_of_one_question_differ(question: str) -> None:
    rows = [row for row in TABLE if row.question == question]
    assert len(rows) > 1
    for one, other in combinations(rows, 2):
        assert (one.gives == other.gives) == (question in ONE_SUM), (one.reading, other.reading)


def test_a_reading_names_its_source() -> None:
    sources = {document for name in bundled() if (found := load(name)[0]) for document in found.sources}
    for said in (each for row in TABLE for each in row.source.split("; ")):
        document, _, heading = said.partition(" ")
        assert document.rstrip(":") in sources, said
        assert heading, said


# --- the page ---------------------------------------------------------------------------------------------------------


def takes(name: str, row: Row) -> bool:
    """Whether a bundled ruleset takes a reading: its setting changes nothing there."""
    found, _ = load(name)
    changed, _ = load(name, tomllib.loads(row.house))
    if found is None or changed is None:
        return False
    return found.contracts == changed.contracts and replace(found.house, rank={}) == replace(changed.house, rank={})


def page() -> str:
    parts = [
        "# Readings\n\nWhere the documents disagree or leave a thing open, a table chooses: each reading is a\n"
        "setting, written under `[house]` of a record or in a ruleset's file. The last column names the rulesets that\n"
        "take it.\n\n"
        "This page is written by `pytest --update` from `tests/support/readings.toml`;\n"
        "`tests/rules/test_disagreements.py` shows that each reading gives another result.\n"
    ]
    for question in QUESTIONS:
        rows = [row for row in TABLE if row.question == question]
        told = [
            f"| {row.reading} | {' <br> '.join(f'`{line}`' for line in row.house.splitlines())} | {row.source} "
            f"| {' '.join(f'`{name}`' for name in bundled() if takes(name, row))} |\n"
            for row in rows
        ]
        parts.append(f"## {question}\n\n| reading | setting | source | rulesets |\n|---|---|---|---|\n" + "".join(told))
    return "\n".join(parts)


def test_the_page_of_readings_is_current(update: bool) -> None:
    if update:
        PAGE.write_text(page(), "utf-8")
    assert PAGE.read_text("utf-8") == page()
