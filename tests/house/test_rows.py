"""The rows of the rule catalogue: each has a valid sample that agrees, and a file of deals that break its rules."""

from collections.abc import Callable

import pytest
from support.samples import ROWS as BROKEN_ROWS
from support.samples import valid_deals

from archive.cli.inputs import open_files
from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Finding
from archive.rules import House

Shows = Callable[[Judgement], object]


def game(contract: str, *words: str) -> Shows:
    return lambda found: (
        found.deal.game and found.deal.game.contract == contract and set(words) <= set(found.deal.game.words)
    )


def rules(name: str) -> Shows:
    return lambda found: found.ruleset and found.ruleset.id == name


def house(holds: Callable[[House], object]) -> Shows:
    return lambda found: found.ruleset and holds(found.ruleset.house)


def line(text: str) -> Shows:
    """A line of the settlement that begins so."""
    return lambda found: found.settlement and any(each.text.startswith(text) for each in found.settlement.lines)


def both(*shows: Shows) -> Shows:
    return lambda found: all(each(found) for each in shows)


def calls(found: Judgement) -> list[str]:
    return [each.call for each in found.deal.auction or ()]


def event(verb: str) -> Shows:
    return lambda found: any(each.verb == verb for each in found.deal.events or ())


def under(name: str) -> Shows:
    """A special round under way, recorded or not."""
    rounds = [name]
    return lambda found: rounds[0] in {*(found.deal.round or ()), *(each for each, _ in found.before.rounds or ())}


# Row of the catalogue -> what its valid samples must show, each by at least one deal that agrees.
SHOWN: dict[str, tuple[Shows, ...]] = {
    "A1": (game("rufspiel"),),
    "A2": (game("wenz"),),
    "A3": (both(game("solo"), house(lambda h: h.solo_needs_suit)), rules("sheepshead-basic")),
    "A4": (game("wenz", "tout"), game("solo", "tout")),
    "A5": (game("sie"),),
    "A6": (lambda found: len(calls(found)) > 4, lambda found: "good" in calls(found)),
    "A7": (lambda found: isinstance(found.deal.doubles, tuple) and len(found.deal.doubles) == 2,),
    "A8": (house(lambda h: h.tariff == "10/50"),),
    "A9": (event("no-claim"), event("claims")),
    "B1": tuple(house(lambda h, t=tariff: h.tariff == t) for tariff in ("5/10", "10/20/50")),  # type: ignore[misc]
    "B2": tuple(
        (lambda found, way=way: found.deal.knocks and found.ruleset and found.ruleset.house.knock == way)  # type: ignore[misc]
        for way in ("anyone", "forehand", "in-turn")
    ),
    "B3": (house(lambda h: h.deck == 24), house(lambda h: h.deck == 20)),
    "B4": (game("farbwenz"), game("geier"), game("farbgeier")),
    "B5": tuple(
        both(game("bettel"), shown)
        for shown in (
            house(lambda h: h.bettel.trumps == "none"),
            house(lambda h: h.bettel.trumps == "hearts"),
            house(lambda h: h.bettel.beat),
            house(lambda h: h.bettel.lead == "declarer"),
        )
    ),
    "B6": (game("hochzeit"),),
    "B7": (game("kaiser"), game("eisenbahner")),
    "B8": (lambda found: found.settlement and found.settlement.loser is not None and found.settlement.virgins,),
    "B9": (
        lambda found: found.settlement and found.settlement.pot > 0,
        line("the pot is shared"),
        line("the pot is do"),
    ),
    "B10": (game("rufspiel", "muss"), game("rufspiel", "muss", "void")),
    "B11": (under("bock"), lambda found: [each for each, _ in found.before.rounds or ()].count("bock") > 1),
    "B12": (both(game("kreuz"), house(lambda h: h.kreuz.by == "aces")), both(game("kreuz"), under("kreuz"))),
    "B13": (both(under("schieber"), lambda found: found.deal.exchange),),
    "B14": (under("teufel"),),
    "B15": (house(lambda h: h.klopfen), lambda found: found.deal.cut and found.ruleset and found.ruleset.house.klopfen),
    "B16": (game("bierkopf"), lambda found: found.before.stake),
    "B17": (rules("three-hand"),),
    "B20": (house(lambda h: h.direction == "counter-clockwise"),),
    "B21": (rules("langendorf"), game("bettel", "open"), lambda found: found.before.hausbock, line("at most")),
    "B22": (
        rules("schierling"),
        both(rules("schierling"), game("sie")),
        both(rules("schierling"), game("solo", "tout")),
    ),
    "C1": (rules("expats"),),
    "C2": (both(rules("expats"), game("ramsch")),),
    "C3": (house(lambda h: h.price.get("runner") == 5),),
    "C4": (
        lambda found: len(found.session.players) == 5 and found.replay and found.replay.active,
        lambda found: len(found.session.players) == 6 and found.replay and found.replay.active,
    ),
    "C5": (house(lambda h: h.list),),
    "C6": (both(rules("expats"), lambda found: found.settlement and found.settlement.side_points == 97),),
    "C7": (
        both(rules("three-player-blind"), lambda found: found.deal.exchange),
        both(rules("three-player-blind"), lambda found: found.deal.game and "hand" in found.deal.game.words),
        both(rules("three-player-blind"), game("ramsch")),
    ),
    "D1": (
        rules("bauernstoss"),
        game("small-solo"),
        game("big-solo"),
        lambda found: any(call.startswith("lowest") for call in calls(found)),
        lambda found: found.settlement and found.settlement.marks and 3 in found.settlement.marks,
    ),
    "D2": (
        rules("alter-schoofkopp"),
        both(rules("alter-schoofkopp"), game("big-solo")),
        both(rules("alter-schoofkopp"), lambda found: found.before.game_deals == 0),
    ),
    "D3": (both(rules("deutscher-schafkopf"), lambda found: found.ruleset and found.ruleset.incomplete),),
    "E1": (
        both(rules("palatinate"), game("simple")),
        both(rules("palatinate"), game("solo", "du")),
        both(rules("palatinate"), lambda found: found.settlement and (found.settlement.runners or 0) < -2),
        both(rules("palatinate"), event("accepts")),
        both(rules("palatinate"), event("refuses")),
    ),
    "E2": (both(rules("palatinate"), lambda found: len(found.session.players) == 4),),
    "E3": (
        both(rules("asserufen"), lambda found: "may-i" in calls(found) and "accept" in calls(found)),
        both(rules("asserufen"), lambda found: "may-i" in calls(found) and "refuse" in calls(found)),
        both(rules("asserufen"), lambda found: found.deal.game and (found.deal.game.called or "").endswith("Z")),
        both(rules("asserufen"), lambda found: found.settlement and found.settlement.price == 6),
    ),
    "F1": (rules("sheepshead-basic"),),
    "F2": (event("revoke"), event("exposes"), event("miscount")),
    "F3": (event("shows"),),
    "F4": (lambda found: found.settlement and found.settlement.side_points == 60 and found.settlement.won is False,),
}


@pytest.mark.parametrize("row", SHOWN)
def test_a_row_of_the_catalogue_has_valid_samples(row: str) -> None:
    agreeing = [each for each in valid_deals() if each.verdict == "agrees"]
    missing = [number for number, shows in enumerate(SHOWN[row], 1) if not any(shows(each) for each in agreeing)]
    assert not missing, f"{row}: nothing shows {missing}"


@pytest.mark.parametrize("row", SHOWN)
def test_a_row_of_the_catalogue_has_at_least_two_broken_samples(row: str) -> None:
    path = BROKEN_ROWS / f"{row.lower()}.toml"
    found = [each for file in open_files(path, None) for each in judge_stream(file.items())]
    broken = [each for each in found if isinstance(each, Finding) or each.findings]
    assert len(broken) >= 2
    assert len(broken) == len(found), "each of them is broken"
