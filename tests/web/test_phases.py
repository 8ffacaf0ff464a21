"""Deal pages of every sample and of every phase before play: each hand has the cards that the replay says."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from support.deal_pages import deal_page
from support.paths import ROOT
from support.store_samples import read
from support.thorough import examples

from archive import generate
from archive.judge import Judgement, LedgerState, judge
from archive.record import Deal, Double, Event, Game, Session
from archive.rules import load
from archive.settle.ledger import empty_ledger
from archive.store import load_judgement as archived
from archive.store import open_read
from archive.text.wording import call_words, card_name, doubled_when, event_words, line_words
from archive.web import vega
from archive.web.app import create_app
from archive.web.deal.model import DealPage, DealPosition
from archive.web.texts import TEXTS

T = TEXTS["en"]
VALID = ROOT / "sample_games" / "valid"
PARTS = examples(4, 8)  # so that several processes share the deals
RULESETS = sorted(path.stem for path in (ROOT / "archive/rules/rulesets").glob("*.toml"))


def shown(found: Judgement) -> DealPage:
    return deal_page(found, DealPosition(id=1, session=1), T)


def judged(text: str) -> list[Judgement]:
    pairs, findings = read(text)
    assert findings == []
    return [each for _, each in pairs]


def one(found: Deal, evening: Session, before: LedgerState | None = None) -> Judgement:
    return judge(evening, found, 1, before or empty_ledger(len(evening.players)))


def hand_at(cards: tuple, order: list[str], at: int) -> list[str]:
    """The cards that lie in a hand after the move at a place of the order."""
    return sorted(
        card.code
        for card in cards
        if (card.since is None or order.index(card.since) <= at)
        and (not at or card.opened is None or (bool(card.opened) and order.index(card.opened) <= at))
        and not (card.until is not None and order.index(card.until) <= at)
    )


def check_hands(found: Judgement) -> None:
    told = shown(found)
    order = [step["id"] for step in json.loads(told.table.replay)["steps"]]
    assert len(order) == len(set(order))
    replay = found.replay
    for seat in told.table.seats:
        for card in seat.cards:
            assert card.since is None or card.since in order
            assert card.until is None or order.index(card.until) > order.index(card.since or "start")
    if replay is None:
        return
    by_seat = {seat.seat: seat.cards for seat in told.table.seats}
    for seat in by_seat:
        if (hand := replay.dealt[seat]) is not None:
            assert hand_at(by_seat[seat], order, 0) == sorted(hand), seat
    for step in replay.steps:
        if step.hand is not None:
            before = order.index(f"t{step.trick}.{step.place}") - 1
            assert hand_at(by_seat[step.seat], order, before) == sorted(step.hand), (step.trick, step.place)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_deal_of_the_samples_opens_in_the_viewer(
    valid_samples: Path, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a part one in thirty-six, every sixth session; the plots of one in each part are drawn, which takes longer."""
    conn = open_read(valid_samples)
    client = create_app(valid_samples).test_client()
    deals = [row[0] for row in conn.execute("SELECT id FROM deals")]
    assert len(deals) > 40
    for number in deals[part :: PARTS * examples(36, 1)]:
        assert client.get(f"/deals/{number}").status_code == 200, number
        found = archived(conn, number)
        assert found is not None
        check_hands(found)
    sessions = conn.execute("SELECT id FROM sessions").fetchall()[part :: PARTS * examples(6, 1)]
    for place, (number,) in enumerate(sessions):
        if place == examples(1, len(sessions)):
            monkeypatch.setattr(vega, "_drawing", lambda spec, language: ("0 0 1 1", ""))
        assert client.get(f"/sessions/{number}").status_code == 200, number
    conn.close()


def contracts_of(rules: str) -> list[tuple[str, str]]:
    ruleset, _ = load(rules)
    return [(rules, name) for name in (ruleset.house.contracts if ruleset else ())]


@pytest.mark.parametrize(("rules", "contract"), [pair for rules in RULESETS for pair in contracts_of(rules)])
def test_every_contract_of_every_ruleset_has_a_page(rules: str, contract: str) -> None:
    evening = generate.session(rules)
    check_hands(one(generate.deal(Random(contract), evening, contract), evening))


PHASES: dict[str, tuple[str, dict[str, Any], str, tuple[str, ...]]] = {
    "hochzeit": ("bavarian", {"hochzeit": {"when": "before"}, "contracts": ["hochzeit", "solo"]}, "hochzeit", ()),
    "schieber": ("bavarian", {"schieber": {"on": ["60-60"]}}, "solo", ("schieber",)),
    "teufel": ("bavarian", {"teufel": {"on": ["60-60"]}}, "solo", ("teufel",)),
    "bock": ("bavarian", {"bock": {"on": ["60-60"]}}, "rufspiel", ("bock",)),
    "kreuz": ("bavarian", {"kreuz": {"on": ["60-60"]}}, "kreuz", ("kreuz",)),
    "blind": ("three-player-blind", {}, "solo", ()),
    "three-hand": ("three-hand", {}, "solo", ()),
    "klopfen": ("bavarian", {"klopfen": True}, "rufspiel", ()),
}  # fmt: skip


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_before_play_is_stepped_through_with_the_right_hands(phase: str) -> None:
    rules, house, contract, rounds = PHASES[phase]
    evening = generate.session(rules, house or None)
    for seed in range(3):
        check_hands(one(generate.deal(Random(f"{phase}{seed}"), evening, contract, rounds=rounds), evening))


def seated(told: DealPage) -> dict[str, str]:
    """The place of each seat, as the page without JavaScript shows it: forehand at the foot."""
    return {seat.name: told.table.around[n] for n, seat in enumerate(told.table.seats)}


def test_three_players_sit_left_and_right_of_the_first() -> None:
    evening = generate.session("three-hand")
    told = shown(one(generate.deal(Random(1), evening, dealer=2), evening))
    assert seated(told) == {"Anna": "s", "Ben": "w", "Cem": "e"}


def test_play_the_other_way_round_is_seen_the_other_way_round() -> None:
    evening = generate.session("bavarian", {"direction": "counter-clockwise"})
    told = shown(one(generate.deal(Random(1), evening, dealer=3), evening))
    assert seated(told) == {"Anna": "s", "Ben": "e", "Cem": "n", "Dora": "w"}


@pytest.mark.parametrize(
    ("sitters", "names"),
    [(["dealer"], "Anna Ben Cem Dora Emil"), (["dealer", "cutter"], "Anna Ben Cem Dora Emil Franz")],
)
def test_who_sits_out_by_rule_is_named(sitters: list[str], names: str) -> None:
    players = tuple(names.split())
    evening = generate.session("bavarian", {"sitters": sitters}, players=players)
    told = shown(one(Deal(dealer=len(players) - 1, game=Game("none")), evening))
    assert told.table.sits_out == players[-len(sitters) :]
    assert len(told.table.seats) == 4


def test_an_open_bettel_lies_on_the_table_when_the_house_says() -> None:
    for opened, since in (("deal", "g"), ("trick-1", "t1.4")):
        house = {"contracts": ["bettel"], "bettel": {"open": opened}, "rank": {"bettel open": 65}}
        evening = generate.session("bavarian", house)
        made = generate.deal(Random(4), evening, "bettel", words=("open",))
        found = one(made, evening)
        told = {seat.seat: seat.opened for seat in shown(found).table.seats}
        assert told.pop(found.replay.declarer) == since
        assert set(told.values()) == {None}


def test_rounds_and_what_lies_on_the_table_stand_under_the_title() -> None:
    evening = generate.session("bavarian", {"hausbock": True})
    lies = replace(empty_ledger(4), rounds=(("bock", 2),), hausbock=1, stock=40, stake=2)
    told = shown(one(Deal(dealer=3, game=Game("none")), evening, lies))
    assert told.heading.conditions == ("Bock", "Hausbock, 1 waiting", "stake 2", "Stock 40")


def test_calls_and_events_are_worded() -> None:
    rules, _ = load("bavarian")
    said = [
        call_words(call, rules, T)
        for call in ("pass", "play", "hold", "65", "have-solo", "have-tout", "solo E", "lowest U")
    ]
    assert said == [
        "passes", "wants to play", "holds", "bids 65", "has a better game: Solo", "has a better game: Tout",
        "says Solo Eichel", "names the lowest U",
    ]  # fmt: skip
    names = ("Anna", "Ben", "Cem", "Dora")
    assert event_words(Event(0, "exposes", "end", "S7 S8"), names, T) == "exposes Schellen-7, Schellen-8"
    assert event_words(Event(1, "revoke", "3.1", None, 2), names, T) == "revoked, noticed by Cem"
    assert event_words(Event(1, "offers-surrender", "3.1", None, 2), names, T) == "offers to give up, answered by Cem"


def test_cards_taken_up_and_given_on_are_held_between() -> None:
    """A card may come from the blind, go to the next player, and come back."""
    found = judged("""
format = "schafkopf-record/1"
rules = "bavarian"
players = ["Anna", "Ben", "Cem", "Dora"]
[[deal]]
dealer = "Dora"
hands = ["Anna: EO GU HZ H7 EA EK G9 S8"]
blind = "S7"
game = "Anna solo H"
exchange = ["blind > Anna: S7", "Anna > Ben: EO S7", "Ben > Anna: EO"]
""")[0]
    told = shown(found)
    anna = {(card.code, card.since, card.until) for card in told.table.seats[0].cards}
    assert {("S7", "x1", "x2"), ("EO", None, "x2"), ("EO", "x3", None)} <= anna
    assert [(card.code, card.until) for card in told.table.blind] == [("S7", "x1")]
    order = [step["id"] for step in json.loads(told.table.replay)["steps"]]
    assert hand_at(told.table.seats[0].cards, order, order.index("x3")) == sorted("EO GU HZ H7 EA EK G9 S8".split())


def test_the_cutters_knock_doubles_where_it_is_made() -> None:
    evening = generate.session("bavarian", {"klopfen": True})
    made = generate.deal(Random(3), evening, "solo", dealer=3, knocks=False, doubles=False)
    told = shown(one(replace(made, cut="Cem knocks, 2x4"), evening))
    steps = json.loads(told.table.replay)["steps"]
    assert [(step["id"], step.get("factor", 1)) for step in steps[:2]] == [("start", 1), ("c1", 2)]
    cem = next(seat for seat in told.table.seats if seat.name == "Cem")
    assert ("knocks", "c1") in [(mark.text, mark.since) for mark in cem.marks]


def test_a_bid_moves_the_mark_that_wins() -> None:
    evening = generate.session("three-player-blind")
    made = generate.deal(Random(2), evening, "solo", want=lambda found: found.deal.game.bid)
    assert T["wins"].format(at=made.game.bid) in [level.text for level in shown(one(made, evening)).table.levels]


def test_a_cap_and_an_undecided_deal_are_shown_as_what_they_are() -> None:
    evening = generate.session("bavarian", {"cap": 40})
    made = generate.deal(
        Random(2), evening, "solo", want=lambda found: any(x.kind == "at-most" for x in found.settlement.lines)
    )
    assert "≤ 40" in [line.amount for line in shown(one(made, evening)).settlement.lines]


def test_points_that_a_revoke_gives_away_are_in_the_score() -> None:
    found = judged((VALID / "irregular.toml").read_text("utf-8"))
    revoked = next(
        each for each in found if each.replay and each.replay.ending and each.replay.ending.taken is not None
    )
    assert revoked.replay.ending
    told = shown(revoked)
    assert told.heading.score == f"{revoked.settlement.side_points} : {120 - (revoked.settlement.side_points or 0)}"
    assert revoked.replay.ending.text in json.loads(told.table.replay)["steps"][-1]["say"]


def test_an_amount_of_one_player_names_the_player_once() -> None:
    named = 0
    for found in (
        each for name in ("irregular", "bauernstoss") for each in judged((VALID / f"{name}.toml").read_text())
    ):
        for line in found.settlement.lines if found.settlement else ():
            if line.kind == "per-player" and line.who:
                named += 1
                assert line_words(line, TEXTS["en"]).count(found.session.players[line.who[0]]) == 1
    assert named


def steps_of(told: DealPage) -> dict[str, dict[str, Any]]:
    return {step["id"]: step for step in json.loads(told.table.replay)["steps"]}


REASONS = ("is the highest trump.", "is the only trump.", "is the highest ", "nobody else played ")


def test_every_trick_says_why_it_is_taken_and_the_card_is_what_is_said() -> None:
    evening = generate.session("bavarian")
    seen = set()
    for seed in range(60):
        found = one(generate.deal(Random(seed), evening, "rufspiel"), evening)
        told = steps_of(shown(found))
        for trick, (winner, points) in enumerate(zip(found.replay.winners, found.replay.trick_points, strict=True), 1):
            steps = [step for step in found.replay.steps if step.trick == trick]
            card = next(step.card for step in steps if step.seat == winner)
            said = told[f"t{trick}.4"]["say"]
            name = evening.players[winner or 0]
            why = said.partition(f"{name} takes {points}: ")[2]
            trumps = sum(step.card[1] in "OU" or step.card[0] == "H" for step in steps)
            led = sum(step.card[0] == card[0] and step.card[1] not in "OU" for step in steps)
            reason = REASONS[(trumps == 1) if trumps else 2 + (led == 1)]
            assert reason in why, (seed, trick, said)
            assert reason == REASONS[3] or why.startswith(card_name(card, T | {"faces": "german"}))
            seen.add(reason)
    assert seen == set(REASONS)


def test_what_others_hear_of_cards_that_change_hands_is_how_many() -> None:
    evening = generate.session("three-player-blind")
    found = one(generate.deal(Random(1), evening, "solo", words=()), evening)
    taken, laid = (found.deal.exchange or ())[:2]
    told, name = steps_of(shown(found)), evening.players[taken.taker or 0]
    assert (told["x1"]["heard"], told["x2"]["heard"]) == (
        f"{name} picks up the blind: 2 cards.",
        f"{name} lays away 2 cards.",
    )
    assert told["x1"]["knows"] == told["x2"]["knows"] == [taken.taker]
    assert (told["x1"]["passed"], told["x2"]["passed"]) == (list(taken.cards), list(laid.cards))


def test_a_hochzeit_passes_one_card_each_way_that_both_see() -> None:
    rules, house, contract, _ = PHASES["hochzeit"]
    evening = generate.session(rules, house)
    found = one(generate.deal(Random("hochzeit0"), evening, contract), evening)
    told = steps_of(shown(found))
    pair = {found.replay.declarer, found.replay.partner}
    for move in ("x1", "x2"):
        assert set(told[move]["knows"]) == pair
        assert len(told[move]["passed"]) == 1
        assert told[move]["heard"].endswith(" 1 card.")


@pytest.mark.parametrize(
    ("trick", "card", "said"),
    [
        (None, None, ""),
        (1, 1, "before the first card"),
        (1, 2, "after 1 card"),
        (1, 4, "after 3 cards"),
        (3, 2, "before card 2 of trick 3"),
        (2, None, "in trick 2"),
    ],
)
def test_the_moment_of_a_doubling_is_told_as_far_as_it_is_known(trick: int | None, card: int | None, said: str) -> None:
    assert doubled_when(Double(1, "kontra", trick, card), T) == said


def test_the_pictures_of_a_deal_hold_each_hand_as_it_was() -> None:
    for phase, (rules, house, contract, rounds) in PHASES.items():
        evening = generate.session(rules, house or None)
        found = one(generate.deal(Random(phase), evening, contract, rounds=rounds), evening)
        assert found.replay
        told = shown(found)
        assert [still.part for still in told.course.frames] == list(
            dict.fromkeys(step["part"] for step in steps_of(told).values())
        )
        for still in told.course.frames:
            last = [step for step in found.replay.steps if str(step.trick) == still.part]
            assert [card.code for card in still.trick] == [step.card for step in last]
            assert [card.took for card in still.trick].count(True) == bool(last)
            for seat, held in zip(told.table.seats, still.hands, strict=True):
                at_end = still.part == "end"  # where every hand lies open as it was dealt
                own = ((found.deal.hands or ()) if at_end else found.replay.held)[seat.seat] or ()
                tricks = int(still.part) if still.part.isdigit() else 0
                gone = {step.card for step in found.replay.steps if step.trick <= tricks}
                if still.part != "start":
                    assert {card.code for card in held.cards} == set(own) - gone, (phase, still.part)


@pytest.mark.parametrize(
    ("rules", "analysed"), [("sixty-six", False), ("schnauz", False), ("officers", False), ("pub", True)]
)
def test_only_a_game_that_the_search_knows_leads_to_its_analysis(rules: str, analysed: bool) -> None:
    evening = generate.session(rules)
    assert shown(one(generate.deal(Random(1), evening), evening)).evidence.analysed == analysed


def test_a_price_of_one_is_one_unit() -> None:
    evening = generate.session("officers")
    found = [one(generate.deal(Random(seed), evening), evening) for seed in range(12)]
    priced = {each.settlement.price: shown(each).heading.result for each in found if each.settlement}
    assert priced[1].endswith(": 1 unit")
    assert all(text.endswith(f": {price} units") for price, text in priced.items() if price and price > 1)


def test_who_plays_alone_is_paid_nothing() -> None:
    evening = generate.session("patience")
    assert shown(one(generate.deal(Random(1), evening), evening)).table.amounts == ()
    assert shown(one(Deal(game=Game("patience", 0)), evening)).heading.title == "Solitaire", "without any card, too"


@pytest.mark.parametrize("rules", ["officers", "bodensee-jass"])
def test_who_cannot_follow_with_open_cards_is_not_said_to_have_nothing_covered(rules: str) -> None:
    evening = generate.session(rules)
    told = [
        step["say"]
        for seed in range(4)
        for step in steps_of(shown(one(generate.deal(Random(seed), evening), evening))).values()
    ]
    void = [text for text in told if " has no " in text]
    assert void
    assert all(" has no open " in text for text in void)
