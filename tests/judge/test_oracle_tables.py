"""The second opinion on games with cards on the table and on Sixty-six against the engine: legal deals, and deals with
one slip, act or card that is illegal."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support import oracle_tables
from support.oracle_sixty_six import sixty_six
from support.talon_mutants import DECKS
from support.thorough import examples
from support.two_players import compare, first_fault, judged, plain, with_slip

from archive import generate
from archive.judge.judge_deal import judge_session
from archive.record import Deal, Event

OPINIONS: dict[str, tuple[str, Callable[..., Any], dict[str, Any]]] = {
    "vicars": ("vicars", oracle_tables.vicars, {}),
    "officers": ("officers", oracle_tables.officers, {}),
    "officers, half in hand": (
        "officers",
        oracle_tables.officers,
        {"stacks": 4, "contracts": ["officers", "officers-hearts", "wenz"], "knock": "dealer"},
    ),
    "jass": ("bodensee-jass", oracle_tables.jass, {}),
}


@pytest.mark.parametrize("name", OPINIONS)
def test_legal_deals_agree_and_a_slip_is_found_at_its_place(name: str) -> None:
    rules, opinion, house = OPINIONS[name]
    compared, slips = compare(rules, examples(80, 2000), opinion, house)
    assert slips > compared // 2


# --- Sixty-six --------------------------------------------------------------------------------------------------------

ARGS = {"marriage": "EGHS", "takes-trump": ("HA", "EK", "GU", "SZ"), "closes": (None,), "calls": ("66",)}


def with_act(rng: Random, deal: Deal) -> Deal:
    """A deal with one act moved to another turn, left out, or more than there was."""
    events, how = list(deal.events or ()), rng.randrange(3)
    if events and how == 0:
        at = rng.randrange(len(events))
        trick, _, card = (events[at].moment or "1.1").partition(".")
        moved = f"{max(1, int(trick) + rng.choice((-2, -1, 1)))}.{card}"
        events[at] = replace(events[at], moment=moved if rng.random() < 0.5 else f"{trick}.{3 - int(card)}")
    elif events and how == 1:
        events.pop(rng.randrange(len(events)))
    else:
        verb = rng.choice(list(ARGS))
        moment = f"{rng.randint(1, len(deal.tricks or ()))}.{rng.randint(1, 2)}"
        events.append(Event(rng.randrange(2), verb, moment, rng.choice(ARGS[verb])))
    return replace(deal, events=tuple(events))


@pytest.mark.parametrize("deck", DECKS)
def test_legal_deals_agree_and_what_is_illegal_is_found_at_its_place(deck: str) -> None:
    count = examples(80, 2000)
    rng, evening, slips = Random(f"{deck} {count}"), generate.session("sixty-six", DECKS[deck]), 0
    for _ in range(count):
        deal = generate.deal(rng, evening)
        found, opinion = judged(evening, deal), sixty_six(*plain(evening, deal))
        assert opinion.fault == ""
        assert found.verdict == "agrees"
        assert found.replay.points == tuple(opinion.points.values())
        assert list(found.settlement.marks or ()) == opinion.won
        for change in (with_slip, with_act):
            wrong = change(rng, deal)
            opinion, found = sixty_six(*plain(evening, wrong)), judged(evening, wrong)
            assert first_fault(found) == opinion.fault, (wrong, found.findings)
            slips += opinion.fault != ""
            if not opinion.fault and found.settlement and found.replay and found.replay.complete:
                assert list(found.settlement.marks or ()) == opinion.won
    assert slips > count


@pytest.mark.parametrize("deck", DECKS)
def test_seven_match_points_win_and_the_next_deal_begins_anew(deck: str) -> None:
    count = examples(40, 2000)
    evening, running, won = generate.session("sixty-six", DECKS[deck]), [0, 0], 0
    dealt = list(generate.deals(Random(deck), evening, count, ("points", "marks")))
    for deal, found in zip(dealt, judge_session(evening, dealt), strict=True):
        assert found.verdict == "agrees"
        running = [own + more for own, more in zip(running, sixty_six(*plain(evening, deal)).won or [], strict=True)]
        if max(running) >= 7:
            running, won = [0, 0], won + 1
        assert list(found.after.marks or ()) == running
    assert won > count // 20
