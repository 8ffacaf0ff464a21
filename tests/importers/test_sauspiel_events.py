"""The JSON events of sauspiel.de: nothing of a log is lost, nothing is guessed, and damage costs one deal."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from support.forty import forty
from support.items import Read, bare, by_kind
from support.paths import ROOT
from support.thorough import examples
from support.writers import sauspiel_events as writer

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Finding, Game, Session, Source
from importers.sauspiel import events as sauspiel_events
from importers.sauspiel.event_log import KINDS

VALID = ROOT / "sample_games" / "valid"
SAMPLE = (VALID / "sauspiel-events.json").read_bytes()
LINES = (VALID / "sauspiel-events-lines.jsonl").read_bytes().splitlines()
EVENTS: list[dict[str, Any]] = json.loads(SAMPLE)


def read(data: bytes) -> Read:
    items = list(sauspiel_events.read(data, Source("game.json", sha256="abc")))
    assert not items or isinstance(items[0], Session | Finding), "a head comes before its deal"
    sessions, deals, findings = by_kind(items)
    places = [each.source for each in findings]
    assert all(at and at.line >= 1 and (at.deal or "line-not-read") for at in places), "each has a place"
    return sessions, deals, findings


def array(events: list[Any]) -> bytes:
    return json.dumps(events, ensure_ascii=False).encode()


def changed(kind: str, **keys: Any) -> bytes:
    """The sample with keys of its first event of a kind set, or taken out where the value is `...`; an event a line."""
    events = json.loads(SAMPLE)
    event = next(each for each in events if each["type"] == kind)
    event |= keys
    for key in [key for key, value in event.items() if value is ...]:
        del event[key]
    return writer.array(events)


def line_of(kind: str) -> int:
    return 2 + next(place for place, each in enumerate(EVENTS) if each["type"] == kind)


# --- our deals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [b"\n", b"\r\n\r\n", b"\n   \n"])
def test_forty_arrays_one_a_line_are_forty_deals(end: bytes) -> None:
    head, deals = forty()
    rows = [array(json.loads(data)) for data in writer.write(head, deals)]
    _, found, findings = read(end.join(rows) + end)
    assert findings == []
    assert bare(found) == [writer.held(head, deal)[1] for deal in deals]
    step = end.count(b"\n")
    assert [deal.source and deal.source.line for deal in found] == [1 + step * n for n in range(40)]


def test_events_one_on_each_line_are_the_array_of_a_game() -> None:
    alone = "\n\n".join(map(json.dumps, EVENTS)).encode()
    ((_, deals, findings), whole) = read(alone), read(array(EVENTS))
    assert (bare(deals), findings) == (bare(whole[1]), [])
    assert [item.rule for item in read(alone.replace(b"}\n", b"\n", 1))[2]] == ["syntax"]
    assert len(read(b'{"type": "log"}\n' + json.dumps(EVENTS).encode())[1]) == 1


def test_arrays_one_after_another_are_read_too_and_a_broken_one_costs_itself() -> None:
    head, deals = forty()
    files = writer.write(head, deals)[:5]
    want = bare(read(b"\n".join(files))[1])
    assert len(want) == 5
    _, found, findings = read(
        b"".join([*files[:2], files[2].replace(b'"playedACard"', b'"playedACard', 1), *files[3:]])
    )
    assert bare(found) == [*want[:2], *want[3:]]
    assert [each.rule for each in findings] == ["syntax"]
    before = sum(each.count(b"\n") for each in files[:2])
    assert before < findings[0].source.line <= before + files[2].count(b"\n")


@pytest.mark.parametrize(
    ("games", "places", "again"),
    [
        ("AB", [1, 2], []),
        ("ABBC", [1, 2, 3], [3]),
        ("ABCAD", [1, 2, 3, 4], [4]),
        ("AXAB", [1, 1, 1, 2], []),  # files of two evenings, joined
        ("ABXBC", [1, 2, 1, 2, 3], []),
    ],
)
def test_equal_heads_are_one_session_with_positions_and_a_game_again_is_told(
    games: str, places: list[int], again: list[int]
) -> None:
    lines = [re.sub(rb'("gameID": ?)', rb"\g<1>%d" % ord(each), LINES[each == "X"]) for each in games]
    sessions, deals, findings = read(b"\n".join(lines))
    assert [deal.source and deal.source.deal for deal in deals] == places
    assert [(each.rule, each.source and each.source.line) for each in findings] == [("deal-repeated", n) for n in again]
    assert len(sessions) == 1 + 2 * ("X" in games)


# --- the samples ------------------------------------------------------------------------------------------------------


def test_a_log_tells_more_than_the_cards() -> None:
    (session,), (deal,), findings = read(SAMPLE)
    assert findings == []
    assert session.players == ("Hias_07", "Ex-Sauspieler #20481", "sepp vom berg", "Zenzi")
    assert (session.recorder, session.origin, session.unit) == ("Hias_07", "sauspiel.de", "P")
    assert deal.game == Game("rufspiel", 0, "S", "SA")
    assert (deal.id, deal.dealer) == ("1640000017", 2)
    assert isinstance(deal.doubles, tuple)
    assert [(each.word, each.trick, each.card) for each in deal.doubles] == [("kontra", 1, 2), ("re", 1, 2)]
    assert deal.stated.winners
    assert len(deal.stated.winners) == 8


def test_an_event_of_an_unknown_type_is_kept_as_it_stands() -> None:
    (deal,) = read(SAMPLE)[1]
    assert deal.x["events"] == ['{"type": "chatMessage", "position": 1, "text": "Servus beinand"}']


def test_the_lines_hold_every_kind() -> None:
    _, deals, findings = read(b"\n".join(LINES))
    assert findings == []
    games = [deal.game for deal in deals if deal.game]
    assert [game.contract for game in games] == ["farbwenz", "geier", "ramsch", "solo", "wenz", "none", "wenz"]
    assert games[3].words == ("tout",)
    own = deals[4].hands
    assert own
    assert [hand is None for hand in own] == [False, True, True, True]
    assert [found.verdict for found in judge_stream(sauspiel_events.read(b"\n".join(LINES), Source("x")))
            if isinstance(found, Judgement)] == ["agrees"] * 7  # fmt: skip


def test_it_is_known_by_its_content_alone() -> None:
    assert sauspiel_events.matches("x", SAMPLE)
    assert sauspiel_events.matches("x", LINES[-1]), "an object with events"
    for other in (b"", b"[]", b'{"type": "joined"}', b'<script>[{"type":"joinedTable"}]</script>'):
        assert not sauspiel_events.matches("game.json", other)


# --- what is there and what is not ------------------------------------------------------------------------------------


def test_hands_may_come_in_two_parts() -> None:
    events = [each for each in EVENTS if each["type"] != "playersGotCards"]
    place = next(n for n, each in enumerate(events) if each["type"] == "youGotCards")
    cards = events[place]["cards"]
    whole = read(array(events))[1][0].hands
    for parts in ([cards[:4], cards[4:]], [cards[:4], cards], [cards[:4], cards[4:] + cards[:4]]):
        said = [{"type": "youGotCards", "cards": part} for part in parts]
        (deal,) = read(array([*events[:place], *said, *events[place + 1 :]]))[1]
        assert (deal.hands, deal.packet) == (whole, 4)
    other = [{"type": "youGotCards", "cards": part} for part in (cards[:4], [*cards[1:4], *cards[4:]])]
    _, deals, findings = read(array([*events[:place], *other, *events[place + 1 :]]))
    assert (deals, [each.rule for each in findings]) == ([], ["deal-unreadable"])


def test_counts_stand_where_no_event_tells_who() -> None:
    events = [each for each in EVENTS if each["type"] not in ("hasKnocked", "hasContra")]
    (deal,) = read(array(events))[1]
    assert (deal.knocks, deal.doubles) == (EVENTS[-1]["knockings"], 2)
    (deal,) = read(array(events[:-1]))[1]
    assert (deal.knocks, deal.doubles) == ((), ())


def test_counts_that_do_not_agree_are_said_and_the_events_kept() -> None:
    _, (deal,), findings = read(changed("gameResult", contras=3))
    assert [each.rule for each in findings] == ["log-incomplete"]
    assert isinstance(deal.doubles, tuple)
    assert len(deal.doubles) == 2
    assert deal.x["gameResult"]["contras"] == 3


def test_a_kontra_late_in_the_play_has_its_moment() -> None:
    events = json.loads(SAMPLE)
    contra = next(each for each in events if each["type"] == "hasContra")
    events.remove(contra)
    third = [n for n, each in enumerate(events) if each["type"] == "playedACard"][9]
    events.insert(third, contra)
    (deal,) = read(array(events))[1]
    assert isinstance(deal.doubles, tuple)
    assert [(each.word, each.trick, each.card) for each in deal.doubles] == [("kontra", 1, 2), ("re", 3, 2)]


def test_who_has_no_name_is_a_position_and_that_is_said() -> None:
    _, (deal,), findings = read(array([each for each in EVENTS if each["type"] != "joinedTable"]))
    sessions, _, _ = read(array([each for each in EVENTS if each["type"] != "joinedTable"]))
    assert findings == []
    assert sessions[0].players == ("Hias_07", "Position 1", "Position 2", "Position 3")
    assert "players: no event names position 1, 2, 3" in (sessions[0].inferred or ())
    assert deal.game == Game("rufspiel", 0, "S", "SA")


def test_own_cards_without_their_owner_are_no_hand() -> None:
    gone = ("yourAuthenticationSucceeded", "playersGotCards")
    _, (deal,), findings = read(array([each for each in EVENTS if each["type"] not in gone]))
    assert deal.hands is None
    assert len(deal.x["youGotCards"][0]) == 8
    assert [each.rule for each in findings] == ["log-incomplete"]


def test_rates_that_are_no_amounts_are_kept_and_no_price_is_made_of_them() -> None:
    for rate in ("?", "P 20 / 50", -20, "€ 20"):
        sessions, (deal,), _ = read(changed("gameResult", gameRate=rate))
        assert sessions[0].house
        assert "price" not in sessions[0].house
        assert deal.x["gameResult"]["gameRate"] == rate


def test_a_negative_amount_is_no_price() -> None:
    _, (deal,), _ = read(changed("gameResult", amount=-160))
    assert deal.stated.price is None
    assert deal.x["gameResult"]["amount"] == -160


def test_without_a_contract_or_a_result_it_says_so() -> None:
    _, deals, findings = read(array([each for each in EVENTS if each["type"] != "playsTheGame"]))
    assert (deals, [each.message for each in findings]) == (
        [],
        ["this deal cannot be read: no event says what was played"],
    )
    _, deals, findings = read(array(EVENTS[:-1]))
    assert [each.message for each in findings] == ["the log lacks gameResult"]
    assert deals[0].stated.price is None


def test_play_broken_off_is_kept_and_said() -> None:
    cut = next(n for n, each in enumerate(EVENTS) if each["type"] == "wonTheTrick") + 3
    _, (deal,), findings = read(array([*EVENTS[:cut], EVENTS[-2], EVENTS[-1]]))
    assert [len(trick.cards) for trick in deal.tricks or ()] == [4, 2]
    assert not deal.stated.winners  # of one trick; by the rules the next has none yet, which would differ
    assert "26 of 32 playedACard" in findings[0].message


@pytest.mark.parametrize(
    ("kind", "keys", "rule"),
    [
        ("playsTheGame", {"gameType": 9}, "bad-entry"),
        ("playsTheGame", {"gameType": 4}, "bad-entry"),  # a Wenz with a suit
        ("playsTheGame", {"gameType": 5}, "deal-unreadable"),  # gameResult calls it a Sauspiel
        ("playsTheGame", {"gameType": 0, "suit": None}, "bad-entry"),  # a Ramsch with a declarer
        ("playsTheGame", {"suit": "Blau"}, "bad-entry"),
        ("playsTheGame", {"announcement": 2}, "bad-entry"),
        ("playsTheGame", {"position": 4}, "wrong-type"),
        ("playsTheGame", {"gameType": ...}, "wrong-type"),
        ("gameResult", {"gameType": "Wenz"}, "deal-unreadable"),
        ("gameResult", {"gameType": "Sauspiel Tout"}, "deal-unreadable"),
        ("gameResult", {"points": 2**60}, "wrong-type"),
        ("gameResult", {"knockings": -1}, "wrong-type"),
        ("playedACard", {"cardID": "XX"}, "unknown-card"),
        ("playedACard", {"cardID": ...}, "wrong-type"),
        ("playedACard", {"position": "first"}, "wrong-type"),
        ("playersGotCards", {"cards": [["EO"]]}, "wrong-type"),
        ("playersGotCards", {"cards": [["EO"]] * 4}, "deal-unreadable"),  # not the owner's own hand
        ("wonTheTrick", {"cards": ["EO", "GO", "HO", "SO"]}, "deal-unreadable"),
        ("joinedTable", {"position": True}, "wrong-type"),
    ],
)
def test_what_cannot_be_is_a_finding_at_its_line(kind: str, keys: dict[str, Any], rule: str) -> None:
    _, deals, findings = read(changed(kind, **keys))
    assert deals == []
    assert {each.rule for each in findings} == {rule}
    if "calls it" not in findings[0].message:
        assert line_of(kind) in {each.source.line for each in findings if each.source}


def test_a_card_out_of_turn_and_a_trick_won_too_early_cannot_be() -> None:
    events = json.loads(SAMPLE)
    cards = [n for n, each in enumerate(events) if each["type"] == "playedACard"]
    swapped = [*events]
    swapped[cards[1]], swapped[cards[2]] = events[cards[2]], events[cards[1]]
    early = [*events[: cards[2]], {"type": "wonTheTrick", "position": 0}, *events[cards[2] :]]
    twice = [*events[: cards[4]], events[cards[4] - 1], *events[cards[4] :]]
    for wrong in (swapped, early, twice):
        _, deals, findings = read(array(wrong))
        assert (deals, {each.rule for each in findings}) == ([], {"deal-unreadable"})


def test_a_second_game_in_one_array_is_not_mixed_with_the_first() -> None:
    _, deals, findings = read(array([*EVENTS, *json.loads(LINES[0])]))
    assert deals == []
    assert "it has a second gameStarted" in findings[1].message or "second" in findings[0].message


# --- damage -----------------------------------------------------------------------------------------------------------


# What of each event is in the deal, so that no change of it goes unnoticed; a count may go and a gameType be unclear.
TOLD = {
    "gameStarted": {"gameID"},
    "hasKnocked": {"position"},
    "playsTheGame": {"gameType", "position", "suit"},
    "hasContra": {"position"},
    "playedACard": {"position", "cardID"},
    "wonTheTrick": {"position"},
    "playersGotCards": {"cards"},
    "gameResult": {"won", "points", "amount", "balanceType", "result", "gameRate", "baseRate"},
    "chatMessage": {"type", "text"},
}


def mutations(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The event with one key gone, of a wrong type, or mangled."""
    for key, value in event.items():
        yield {other: kept for other, kept in event.items() if other != key}
        junk: list[Any] = [None, 17, -3, 2.5, "§", True, [], [[]], {}, {"a": 1}, 10**30]
        for wrong in junk:
            yield event | {key: wrong}
        if isinstance(value, str | list) and value:
            yield event | {key: value[:-1]}
        yield event | {f"{key}é": value}


def test_every_key_gone_or_wrong_costs_its_own_deal_at_most() -> None:
    before, after = LINES[0], LINES[2]
    want = bare(read(before + b"\n" + after)[1])
    (head,), (own,), _ = read(SAMPLE)
    alike = replace(head, source=None), replace(own, source=None)
    kinds = set()
    for place, event in enumerate(EVENTS):
        if event["type"] in kinds and event["type"] in ("playedACard", "wonTheTrick", "joinedTable"):
            continue
        kinds.add(event["type"])
        for other in [*mutations(event)][:: examples(3, 1)]:
            damaged = array([*EVENTS[:place], other, *EVENTS[place + 1 :]])
            sessions, deals, findings = read(b"\n".join([before, damaged, after]))
            found = bare(deals)
            assert (found[0], found[-1]) == (want[0], want[1]), other
            assert len(found) == 3 or any(each.severity == "error" for each in findings), other
            assert all(each.source and each.source.line == 2 for each in findings)
            same = len(found) == 3 and (replace(sessions[1], source=None), found[1]) == alike
            silent = same and not findings
            assert not silent or not TOLD.get(event["type"], set()) & {
                key for key in event.keys() | other.keys() if event.get(key) != other.get(key)
            }, other
    assert kinds == set(KINDS) | {"chatMessage"}
