"""The one-line notation: what is read is what was written, and a wrong contract does not pass as a right one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support import real_games
from support.forty import forty
from support.items import Read, bare, by_kind
from support.paths import ROOT
from support.writers.one_line import line

from archive.generate import session
from archive.judge import Judgement
from archive.judge.derived_hands import breaks_nothing, possible_games
from archive.judge.judge_deal import judge_session
from archive.judge.judge_stream import judge_stream
from archive.judge.types import Case
from archive.notation import read_one_line
from archive.notation.one_line import OneLine, is_one_line
from archive.record import Deal, Finding, Game, Source, Trick
from importers import one_line

SAMPLE = (ROOT / "sample_games" / "valid" / "one-line.txt").read_bytes()
CARDS = SAMPLE.decode().splitlines()[1].partition(":")[2]


def read(data: bytes) -> Read:
    return by_kind(one_line.read(data, Source("lines.txt", sha256="abc")))


SESSIONS, DEALS, _ = read(SAMPLE)


def judge(text: str) -> Judgement:
    found = list(judge_stream(one_line.read(text.encode(), Source("lines.txt"))))
    assert len(found) == 1
    assert isinstance(found[0], Judgement), found[0]
    return found[0]


def written() -> list[tuple[Judgement, str]]:
    """Those of our forty deals that a line can tell."""
    return [(found, text) for found in judge_session(*forty()) if (text := line(found)[0])]


# --- what is written is read ------------------------------------------------------------------------------------------


def test_a_deal_that_is_left_out_has_its_reason() -> None:
    reasons = {found.number: line(found)[1] for found in judge_session(*forty()) if not line(found)[0]}
    lost = {deal.no for deal in forty()[1] if sum(len(trick.cards) for trick in deal.tricks or ()) < 32}
    assert reasons == dict.fromkeys(lost, "the play is not recorded to its end")


def test_the_hands_that_were_dealt_are_worked_out_from_the_line() -> None:
    for found, text in written():
        again, replayed = judge(text), found.replay
        assert again.verdict == "agrees"
        assert [set(hand or ()) for hand in again.replay.held] == [
            set((found.deal.hands or ())[seat] or ()) for seat in replayed.active
        ]
        assert again.replay.points == tuple(replayed.points[seat] for seat in replayed.active)


@real_games.needed
def test_every_real_game_that_is_recorded_whole_is_told_and_read() -> None:
    games = [*real_games.played(), *real_games.settled()]
    found = [next(iter(judge_session(head, [deal]))) for head, deal in games]
    texts = [text for each in found if (text := line(each)[0])]
    assert len(texts) == len(games) == 462
    again = list(judge_stream(one_line.read("\n".join(texts).encode(), Source("lines.txt"))))
    assert [each.verdict for each in again if isinstance(each, Judgement)] == ["agrees"] * len(games)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": None}, "no word for this game"),
        ({"game": Game("hochzeit", 0)}, "no word for this game"),
        ({"game": Game("none")}, "no word for this game"),
        ({"game": Game("rufspiel", 0, "G", "GA", ("muss",))}, "no word for what is said"),
        ({"game": Game("rufspiel", 0, "G", "GZ")}, "no word for what is said"),
        ({"game": Game("rufspiel", None, "G", "GA")}, "declarer or suit"),
        ({"game": Game("solo", 1)}, "declarer or suit"),
        ({"tricks": None}, "not recorded to its end"),
        ({"tricks": DEALS[0].tricks[:-1] if DEALS[0].tricks else ()}, "not recorded to its end"),
        ({"game": Game("wenz", 1)}, "who leads"),
        ({"tricks": (Trick(("??",) * 4, 0), *(DEALS[0].tricks or ())[1:])}, "not every card"),
    ],
)
def test_what_a_line_cannot_tell_is_refused_with_the_reason(changes: dict[str, Any], why: str) -> None:
    (found, *_) = judge_session(SESSIONS[0], DEALS[:1])
    assert line(found)[0]
    text, reason = line(replace(found, deal=replace(found.deal, **changes)))
    assert text is None
    assert why in reason


def test_a_line_is_not_told_for_other_trumps_or_another_number_of_players() -> None:
    head = replace(SESSIONS[0], house={"trumps": "S"})
    (found, *_) = judge_session(head, DEALS[:1])
    assert "by the rules of the notation" in line(found)[1]
    (three,) = judge_session(session("three-hand"), [Deal(game=Game("solo", 0, "E"))])
    assert line(three) == (None, "the notation is for four players")
    (unseen,) = judge_session(SESSIONS[0], [Deal(game=Game("solo", 0, "E"))])  # nobody knows who dealt
    assert line(unseen) == (None, "the play is not recorded to its end")


# --- the sample -------------------------------------------------------------------------------------------------------


def test_the_sample_is_read_whole_and_begins_a_session_where_the_settings_change() -> None:
    assert read(SAMPLE)[2] == []
    assert len(DEALS) == SAMPLE.count(b":") - 1  # one stands in a comment
    settings = [(session.house or {}).get("deck") or (session.house or {}).get("bettel") for session in SESSIONS]
    assert settings == [None, {"beat": True}, None, 24]
    assert [deal.source and deal.source.deal for deal in DEALS] == [1, 2, 3, 4, 5, 6, 7, 1, 1, 1, 2]
    lines = SAMPLE.decode().splitlines()
    assert all(deal.source and lines[deal.source.line - 1].count(":") == 1 for deal in DEALS)


def test_nothing_is_recorded_that_a_line_does_not_say() -> None:
    for deal in DEALS:
        leaders = [trick.leader for trick in deal.tricks or ()]
        assert leaders == [0, *[None] * (len(leaders) - 1)]
        assert deal == Deal(source=deal.source, game=deal.game, tricks=deal.tricks)


def game(text: str) -> Game | str:
    """The game in words, or the rule that refuses it."""
    found = read_one_line(f"{text}:{CARDS}")
    return found.game if isinstance(found, OneLine) else found.rule


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rufspiel Blaue von 3", Game("rufspiel", 3, "G", "GA")),
        ("rufspiel mit der Alten von 0", Game("rufspiel", 0, "E", "EA")),
        ("auf die Hundsgfickte von 1", Game("rufspiel", 1, "S", "SA")),
        ("Sauspiel auf die Eichel-Sau von 2", Game("rufspiel", 2, "E", "EA")),
        ("RUFSPIEL   PUMPE   VON   2", Game("rufspiel", 2, "S", "SA")),
        ("Alte von 1", Game("rufspiel", 1, "E", "EA")),
        ("Gras sticht von 1", Game("solo", 1, "G")),
        ("Schellnsolo von 1", Game("solo", 1, "S")),
        ("Solo rot tout von 1", Game("solo", 1, "H", words=("tout",))),
        ("Wenz Tout von 0", Game("wenz", 0, words=("tout",))),
        ("Herz-Wenz von 0", Game("farbwenz", 0, "H")),
        ("Farbwenz grün von 2", Game("farbwenz", 2, "G")),
        ("Geier von 2", Game("geier", 2)),
        ("Laub Geier von 2", Game("farbgeier", 2, "G")),
        ("Bettel normal von 1", Game("bettel", 1)),
        ("bettel stich von 2", Game("bettel", 2)),
        ("Ramsch", Game("ramsch")),
        ("Wenz", Game("wenz")),
        ("Solo von 1", Game("solo", 1)),
        ("Ramsch von 1", "bad-entry"),
        ("Rufspiel Blaue von 4", "bad-entry"),
        ("Solo Herz Eichel von 1", "bad-entry"),
        ("Wenz Geier von 1", "bad-entry"),
        ("Bettel stich normal von 1", "bad-entry"),
        ("Solo Herz normal von 1", "bad-entry"),
        ("kein Solo von 1", "bad-entry"),
        ("Solo Herz 1", "bad-entry"),
        ("Solo Herz hand von 1", "bad-entry"),
        ("Solo" + " Herz" * 30, "bad-entry"),
        ("Bettel Eichel von 1", "bad-entry"),
        ("", "unknown-contract"),
        ("Eichel von 1", "unknown-contract"),
        ("Fußball von 1", "unknown-contract"),
    ],
)
def test_words_of_a_game_are_matched_loosely_and_none_is_passed_over(text: str, expected: Game | str) -> None:
    assert game(text) == expected


def test_cards_may_be_written_in_either_case_with_x_or_z_and_blanks() -> None:
    first = CARDS.split()
    loose = "   ".join(card.upper().replace("Z", "x") for card in first)
    plain = read_one_line(f"Rufspiel Gras von 0:{CARDS}")
    assert read_one_line(f"Rufspiel Gras von 0 :{loose}") == plain
    tricks = [first[n : n + 4] for n in range(0, len(first), 4)]
    for between in (f"[{', '.join(first)}]", " | ".join(map(";".join, tricks)), "/".join(map(",".join, tricks))):
        assert is_one_line(f"Rufspiel Gras von 0: {between}")
        assert read_one_line(f"Rufspiel Gras von 0: {between}") == plain


def test_an_unknown_card_leaves_the_rest_undecidable() -> None:
    found = judge(f"Rufspiel Gras von 0: {' '.join(['_', *CARDS.split()[1:]])}")
    assert found.deal.tricks[0].cards[0] == "??"
    assert (found.verdict, found.findings) == ("undecidable", ())


# --- a wrong contract -------------------------------------------------------------------------------------------------


def warned(found: Judgement) -> Finding | None:
    return next((each for each in found.findings if each.rule == "hands-derived"), None)


def test_a_wrong_contract_never_breaks_a_duty_without_a_word_on_where_the_hands_are_from() -> None:
    names = ("Rufspiel Eichel", "Rufspiel Gras", "Solo Herz", "Solo Eichel", "Wenz", "Geier", "Farbwenz Gras")
    told = 0
    for found, text in written()[:16]:
        own, after = text.split(":")
        for name in names:
            wrong = f"{name} {own[own.index('von') :]}" if "von" in own else f"{name} von 0"
            if wrong == own:
                continue
            judgement = judge(f"{wrong}:{after}")
            assert judgement.verdict in ("agrees", "unplayable")
            assert (judgement.verdict == "unplayable") == (warned(judgement) is not None)
            told += judgement.verdict == "unplayable"
            if warned(judgement) and "von" in own:
                assert real_game_is_found(found, judgement)
    assert told > 80


def real_game_is_found(found: Judgement, wrong: Judgement) -> bool:
    """Whether the game that was really played is among those that are proposed for the same cards."""
    assert wrong.ruleset
    assert wrong.replay
    assert wrong.settlement
    assert found.deal.game
    case = Case(wrong.deal, wrong.session.players, wrong.ruleset, wrong.before, wrong.replay, wrong.settlement)
    fits = [each for each in possible_games(case) if breaks_nothing(case, each)]
    return any((each.contract, each.suit) == (found.deal.game.contract, found.deal.game.suit) for each in fits)


def test_the_finding_names_what_the_cards_fit() -> None:
    wenz = next(text for text in SAMPLE.decode().splitlines() if text.startswith("WENZ"))
    finding = warned(judge(wenz.replace("WENZ", "Geier")))
    assert finding.message.endswith("these cards fit: Wenz by Forehand")
    assert warned(judge(wenz)) is None
    cards = wenz.split()
    cards[6], cards[-1] = cards[-1], cards[6]
    finding = warned(judge(" ".join(cards)))
    assert finding.message.endswith("no other game of this house")


def test_another_declarer_is_proposed_where_only_the_seat_is_wrong() -> None:
    finding = warned(judge(f"Rufspiel Gras von 3:{CARDS}"))  # who holds the called Ace
    assert "Forehand rufspiel G" in finding.message or "…" in finding.message


@pytest.mark.parametrize("told", ["hands", "leaders"])
def test_a_broken_duty_of_a_recorded_hand_is_nothing_but_that(told: str) -> None:
    wrong = judge(f"Solo Eichel von 0:{CARDS}")
    assert warned(wrong)
    tricks = wrong.deal.tricks or ()
    led = tuple(replace(trick, leader=leader) for trick, leader in zip(tricks, wrong.replay.leaders, strict=True))
    fuller = replace(wrong.deal, **({"hands": wrong.replay.held} if told == "hands" else {"tricks": led}))
    (found,) = judge_session(wrong.session, [fuller])
    assert found.verdict == "unplayable"
    assert warned(found) is None


# --- damage -----------------------------------------------------------------------------------------------------------

LINES = SAMPLE.decode().splitlines()
GAMES = [number for number, text in enumerate(LINES) if ":" in text and not text.startswith("#")]


@given(st.sampled_from(GAMES), st.integers(0, 40), st.sampled_from(["", "§", "e1", "hh", ":", "von 7", "\x00"]))
def test_a_damaged_word_costs_its_own_line_at_most(number: int, place: int, junk: str) -> None:
    words = LINES[number].split()
    words[place % len(words)] = junk
    lines = [*LINES[:number], " ".join(words), *LINES[number + 1 :]]
    _, deals, findings = read("\n".join(lines).encode())
    others_are = [deal for deal in DEALS if deal.source and deal.source.line != number + 1]
    kept = [deal for deal in deals if deal.source and deal.source.line != number + 1]
    assert bare(kept) == bare(others_are)
    own = [deal for deal in deals if deal.source and deal.source.line == number + 1]
    assert len(own) + len(findings) == 1
    assert all(each.source and each.source.line == number + 1 for each in findings)


@pytest.mark.parametrize("count", [0, 1, 11, 12, 23, 25, 31, 33])
def test_a_number_of_cards_that_is_no_pack_is_a_finding(count: int) -> None:
    cards = (CARDS.split() * 2)[:count]
    _, deals, findings = read(f"Wenz von 1: {' '.join(cards)}".encode())
    assert deals == []
    assert [each.rule for each in findings] == ["bad-entry" if count >= 12 else "line-not-read"]


def test_lines_that_are_no_games_are_told_once_where_they_follow_each_other() -> None:
    _, deals, findings = read("\n".join(["Servus", "", "# a word", "Pfiat eich", LINES[1], "Ende"]).encode())
    assert len(deals) == 1
    told = [(each.rule, each.source and (each.source.line, each.source.end_line)) for each in findings]
    assert told == [("line-not-read", (1, 4)), ("line-not-read", (6, 6))]


def test_a_line_that_cannot_be_read_is_counted_among_the_deals_of_its_session() -> None:
    _, deals, findings = read("\n".join([LINES[1].replace("sa", "xy", 1), LINES[1], "x" + LINES[1], LINES[1]]).encode())
    assert [deal.source and deal.source.deal for deal in deals] == [2, 4]
    assert [each.source and (each.source.line, each.source.deal) for each in findings] == [(1, 1), (3, 3)]


@pytest.mark.parametrize(
    "head", [b"", b"{}", b"Rufspiel Blaue von 3: so h7 go", b"Anna: EO GU HZ H7 EA EK G9 S8\n" * 4]
)
def test_other_files_are_not_claimed(head: bytes) -> None:
    assert not one_line.matches("games.txt", head)
