"""Repairs: one change is proposed where exactly one makes a record legal, and nothing is applied."""

import json
import shlex
from functools import cache
from itertools import combinations
from random import Random

import pytest
from msgspec.structs import replace
from support.tables import judge_one, judge_text
from support.text_damages import DAMAGES, read, text_of
from support.worked_examples import HANDS, TRICKS

from archive.cli.correct import read_entries
from archive.cli.repair import correction_command, proposal_lines
from archive.explain.game_edits import Change
from archive.explain.record_edits import CHANGES
from archive.explain.repair import Repair, how_many, play_key, repair, repair_report
from archive.generate import deal, session, stated_as_computed
from archive.judge import Judgement, judge
from archive.judge.sentences import say_reason
from archive.judge.types import Case, case_of
from archive.notation.corrections import apply_corrections, entries_between, with_entries
from archive.record import Correction, Deal, Stated
from archive.say import say
from archive.settle.ledger import apply_carry, empty_ledger

GAME = """[[deal]]
dealer = "Dora"
hands = [{hands}]
game = "{game}"
tricks = [{tricks}]
"""
RESULT = 'stated.partner = "Dora"\nstated.payments = [30, -30, -30, 30]\n'


def written(
    tricks: tuple[str, ...] = TRICKS, hands: tuple[str, ...] = HANDS, game: str = "Anna rufspiel G", more: str = ""
) -> Judgement:
    """The deal of the README, written so."""
    listed = [", ".join(f'"{each}"' for each in entries) for entries in (hands, tricks)]
    return judge_text(GAME.format(hands=listed[0], tricks=listed[1], game=game) + more)[0]


def instead(entries: tuple[str, ...], place: int, entry: str) -> tuple[str, ...]:
    return (*entries[:place], entry, *entries[place + 1 :])


def repaired(found: Judgement) -> Repair:
    return repair(found.session, found.deal, found.number, found.before)


def mended(found: Judgement, result: Repair) -> Judgement:
    """The judgement once the proposal is a correction of the record."""
    row = Correction("Dora", "2026-11-20", say(result.proposal.message), result.proposal.set)
    now, refused = apply_corrections(found.session, replace(found.deal, correction=(row,)))
    assert refused == ()
    return judge(found.session, replace(now, correction=None), found.number, found.before)


# --- the slips, one by one --------------------------------------------------------------------------------------------

SHIFTED = ((3, "Anna"), (0, "Ben"), (1, "Cem"), (2, "Dora"))


def from_winner(place: int) -> str:
    """A trick of the deal, written from who leads the next one on."""
    leader, _, cards = TRICKS[place].partition(": ")
    winner, names, codes = TRICKS[place + 1].partition(": ")[0], ("Anna", "Ben", "Cem", "Dora"), cards.split()
    by = (names.index(winner) - names.index(leader)) % 4
    return f"{winner}: {' '.join(codes[by:] + codes[:by])}"


ONE_SLIP = {
    "swapped in a trick": (
        written(instead(TRICKS, 3, "Dora: SU S8 HA SK")),
        "S8 (trick 4 card 2) and HA (trick 4 card 3) have changed places",
        {"tricks.4": "Dora: SU HA S8 SK"},
    ),
    "swapped between tricks": (
        written(instead(instead(TRICKS, 1, "Anna: HO E8 EZ HU"), 2, "Anna: EU S9 HK SO")),
        "EZ (trick 2 card 3) and HK (trick 3 card 3) have changed places",
        {"tricks.2": "Anna: HO E8 HK HU", "tricks.3": "Anna: EU S9 EZ SO"},
    ),
    "misread": (
        written(instead(TRICKS, 3, "Dora: SU GA S8 SK")),
        "trick 4 card 2 is HA, not GA",
        {"tricks.4": "Dora: SU HA S8 SK"},
    ),
    "misread in a hand": (
        written(hands=instead(HANDS, 1, "Ben: GO G7 E8 GK S9 SA S7 E9")),
        "a card of the hand of Ben is S8, not S7",
        {"hands.Ben": "GO G7 E8 GK S9 SA S8 E9"},
    ),
    "rotated": (
        written(instead(TRICKS, 2, "Anna: S9 EZ SO EU")),
        "trick 3 began with EU",
        {"tricks.3": "Anna: EU S9 EZ SO"},
    ),
    "wrong leader": (
        written(instead(TRICKS, 4, "Ben: GA G9 GK GZ")),
        "trick 5 was led by Dora, not by Ben",
        {"tricks.5": "Dora: GA G9 GK GZ"},
    ),
    "a trick from its winner on": (
        written(instead(TRICKS, 5, "Anna: GU E9 SZ H8")),
        "trick 6 is written from Anna on; Dora led it, with H8",
        {"tricks.6": "Dora: H8 GU E9 SZ"},
    ),
    "all tricks from their winners on": (
        written(tuple(from_winner(place) for place in range(7)) + TRICKS[7:]),
        "the tricks are written from their winners on, not from their leaders",
        {f"tricks.{place}": TRICKS[place - 1] for place in (3, 5, 6) if from_winner(place - 1) != TRICKS[place - 1]},
    ),
    "two suits exchanged in all tricks": (
        written(tuple(each.translate(str.maketrans("GS", "SG")) for each in TRICKS)),
        "Gras and Schellen are exchanged in all tricks",
        {f"tricks.{place}": each for place, each in enumerate(TRICKS, 1) if "G" in each or "S" in each},
    ),
    "tricks swapped": (
        written((*TRICKS[:3], TRICKS[6], *TRICKS[4:6], TRICKS[3], TRICKS[7])),
        "tricks 4 and 7 have changed places",
        {"tricks.4": "Dora: SU HA S8 SK", "tricks.7": "Anna: HZ SA S7 G8"},
    ),
    "a trick twice": (
        written((*TRICKS[:3], TRICKS[2], *TRICKS[3:])),
        "tricks 3 and 4 are the same trick",
        {"tricks": list(TRICKS)},
    ),
    "a card in the wrong hand": (
        written(hands=(HANDS[0] + " S8", "Ben: GO G7 E8 GK S9 SA E9", *HANDS[2:])),
        "S8 was in the hand of Ben, not in the hand of Anna",
        {"hands.Anna": "EO HO EU GU HA HZ EA G9", "hands.Ben": "GO G7 E8 GK S9 SA E9 S8"},
    ),
    "two hands exchanged": (
        written(hands=(HANDS[0], HANDS[1], HANDS[3].replace("Dora", "Cem"), HANDS[2].replace("Cem", "Dora"))),
        "the hands of Cem and Dora have changed places",
        {"hands.Cem": HANDS[2].partition(": ")[2], "hands.Dora": HANDS[3].partition(": ")[2]},
    ),
    "all hands under the next name": (
        written(hands=tuple(f"{name}: {HANDS[place].partition(': ')[2]}" for place, name in SHIFTED)),
        "all hands stand under a wrong name: Anna had what stands under Ben, and so on",
        {f"hands.{each.partition(': ')[0]}": each.partition(": ")[2] for each in HANDS},
    ),
    "a hand written over the next": (
        written(hands=instead(HANDS, 2, HANDS[1].replace("Ben", "Cem"))),
        "the hand of Cem was EZ EK GZ HK H7 SZ SK S7; that of Ben was written over it",
        {"hands.Cem": "EZ EK GZ HK H7 SZ SK S7"},
    ),
    "a trick written over the next": (
        written(instead(TRICKS, 3, TRICKS[2])),
        "trick 4 was SU HA S8 SK; trick 3 was written over it",
        {"tricks.4": "SU HA S8 SK"},
    ),
    "another game by another declarer, with what is stated": (
        written(game="Ben solo H", more=RESULT),
        "the game was Rufspiel Gras by Anna, not Solo Herz by Ben",
        {"game": "Anna rufspiel G"},
    ),
    "the called suit, with what is stated": (
        written(game="Anna rufspiel E", more=RESULT),
        "the game was Rufspiel Gras by Anna, not Rufspiel Eichel by Anna",
        {"game": "Anna rufspiel G"},
    ),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ONE_SLIP)
def test_one_slip_is_found_and_its_correction_makes_the_record_legal(name: str) -> None:
    found, says, entries = ONE_SLIP[name]
    assert found.verdict == "unplayable"
    result = repaired(found)
    assert result.proposal, [say(each.message) for each in result.fits]
    assert (say(result.proposal.message), result.proposal.set) == (says, entries)
    after = mended(found, result)
    assert (after.verdict, after.reason) == (result.proposal.verdict, result.proposal.reason)
    assert after.verdict == "agrees"


def test_a_trick_that_is_left_out_is_what_every_hand_still_holds() -> None:
    found = written((*TRICKS[:3], *TRICKS[4:]))
    result = repaired(found)
    assert result.fits
    assert any(each.set == {"tricks": [*TRICKS[:3], "SU HA S8 SK", *TRICKS[4:]]} for each in result.fits)


# --- when nothing is proposed -----------------------------------------------------------------------------------------


def test_a_play_whose_first_trick_is_left_out_is_not_taken_for_one_written_from_its_winner_on() -> None:
    """Where no hand is known and a trick can be missing before it, that explains its leader as well."""
    found = written(TRICKS[3:], hands=())
    assert found.verdict == "unplayable"
    assert not any(each.kind == "written-from" and "tricks.1" in each.set for each in repaired(found).fits)
    whole = written(("Dora: H9 EO GO H7", *TRICKS[1:]), hands=())
    assert any(each.kind == "written-from" and "tricks.1" in each.set for each in repaired(whole).fits)


def test_nothing_is_proposed_where_the_play_is_legal() -> None:
    for more in ("", "stated.payments = [20, -20, -20, 20]\n"):  # also where what is stated differs
        result = repaired(written(more=more))
        assert (result.proposal, result.fits, result.tried) == (None, (), 0)


def test_several_changes_that_fit_are_counted_and_none_is_proposed() -> None:
    tricks = instead(instead(TRICKS, 3, "Dora: SU HA S9 SK"), 2, "Anna: EU S8 EZ SO")  # Ben's two cards: legal
    assert written(tricks).verdict == "agrees"
    found = written(instead(TRICKS, 3, "Dora: SU SK S8 HA"), hands=instead(HANDS, 1, HANDS[1].replace("SA", "SK")))
    assert say(repaired(found).message) == "no single change makes it legal"
    found = written(game="Anna rufspiel E")
    result = repaired(found)
    assert result.proposal is None
    assert len(result.fits) > 1
    count = len(result.fits)
    assert say(result.message) == f"{count} single changes would make it legal; the record does not say which"


def test_a_stated_result_decides_between_changes() -> None:
    """Without it several fit: the test above."""
    found = written(game="Anna rufspiel E", more=RESULT)
    result = repaired(found)
    assert result.proposal.supports == ("partner", "payments")


def test_nothing_stated_that_agreed_is_given_up() -> None:
    """A trick that another player took cannot be what was, where its winner is stated."""
    found = written(instead(TRICKS, 4, "Ben: GA G9 GK GZ"))
    winners = tuple("Anna Ben Cem Dora".split()[seat or 0] for seat in found.replay.winners)
    stating = written(instead(TRICKS, 4, "Ben: GA G9 GK GZ"), more=f"stated.winners = {list(winners)}\n")
    assert stating.replay
    assert repaired(stating).fits == ()


def test_a_deal_that_nobody_played_in_a_round_with_a_declarer_may_have_been_a_game() -> None:
    hands = ", ".join(f'"{each}"' for each in HANDS)
    found = judge_one(f'[[deal]]\ndealer = "Dora"\nround = ["teufel"]\nhands = [{hands}]\ngame = "none"\n')
    assert {each.rule for each in found.findings} >= {"round-declarer"}
    case = case_of(found)
    assert case
    games = [say(change.message) for kind in CHANGES for change in kind(case) if change.kind == "game"]
    assert "the game was Rufspiel Gras by Anna, not thrown in" in games


def test_where_the_rules_cannot_be_read_nothing_is_looked_for() -> None:
    found = written()
    head = replace(found.session, rules="no-such-rules")
    assert repair(head, found.deal, 1, found.before).tried == 0


def test_the_number_bid_is_that_of_the_auction_if_the_game_has_none() -> None:
    text = '[[deal]]\ndealer = "Dora"\nauction = ["Anna pass", "Ben 6"]\ngame = "Ben bauernstoss H{}"'
    keys = [play_key(judge_one(text.format(number), "bauernstoss")) for number in ("", " 6", " 5")]
    assert keys[0] == keys[1] != keys[2]


# --- none is lost -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_no_swap_is_lost(seed: int) -> None:
    """Of all swaps of two cards of the play, those that judging alone calls legal are those that fit."""
    right, rng = correct()[seed], Random(seed)
    places = [(n, at) for n, each in enumerate(right.deal.tricks or ()) for at in range(len(each.cards))]
    pairs, broken = list(combinations(places, 2)), right
    while broken.verdict != "unplayable":
        broken = swapped(right, *rng.choice([(one, other) for one, other in pairs if one[0] != other[0]]))
    legal = {play_key(after) for pair in pairs if (after := swapped(broken, *pair)).verdict != "unplayable"}
    fits = {play_key(now) for now in after_each(broken, repaired(broken))}
    assert play_key(right) in legal
    assert legal <= fits


def swapped(found: Judgement, one: tuple[int, int], other: tuple[int, int]) -> Judgement:
    """The judgement with two cards, each by its trick and place, in each other's place."""
    tricks = found.deal.tricks or ()
    cards = {(n, at): card for n, each in enumerate(tricks) for at, card in enumerate(each.cards)}
    cards |= {one: cards[other], other: cards[one]}
    now = [replace(each, cards=tuple(cards[n, at] for at in range(len(each.cards)))) for n, each in enumerate(tricks)]
    return judge(found.session, replace(found.deal, tricks=tuple(now)), 1, found.before)


def after_each(found: Judgement, result: Repair) -> list[Judgement]:
    """The judgements of all records that fit."""
    deals = [with_entries(found.session, found.deal, each.set) for each in result.fits]
    return [judge(found.session, each, 1, found.before) for each in deals]


@cache
def correct() -> tuple[Judgement, ...]:
    """Correct records that state no result."""
    rng, found = Random(6), []
    for rules in ("bavarian", "three-player-blind", "bauernstoss"):
        head = session(rules)
        made = deal(rng, head, want=lambda judged: judged.deal.tricks and len(judged.deal.tricks) > 3)
        found.append(judge(head, made, 1, apply_carry(empty_ledger(len(head.players)), made.carry, len(head.players))))
    return tuple(found)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("kind", DAMAGES)
def test_what_is_proposed_is_the_record_before_the_damage(kind: str) -> None:
    """The small form of benchmarks/repair.py."""
    rng = Random(kind)
    for right in correct():
        said = replace(right.deal, stated=stated_as_computed(right, ("points", "payments")))
        head, lines = text_of(replace(right, deal=said))
        changed = DAMAGES[kind].make(rng, lines)
        found = read(head, changed) if changed else None
        if found is None or found.verdict != "unplayable":
            continue
        result = repaired(found)
        assert play_key(right) in {play_key(each) for each in after_each(found, result)}
        assert not result.proposal or play_key(mended(found, result)) == play_key(right), result.proposal


# --- what is handed on ------------------------------------------------------------------------------------------------


def test_the_command_sets_what_is_proposed() -> None:
    found = ONE_SLIP["swapped between tricks"][0]
    result = repaired(found)
    words = shlex.split(correction_command(result.proposal, "12", "other.db"))
    assert words[:3] == ["schafkopf", "correct", "12"]
    entries = tuple(words[place + 1] for place, word in enumerate(words) if word == "--set")
    assert dict(read_entries(entries)) == result.proposal.set
    assert words[-5:] == ["other.db", "--by", "NAME", "--why", say(result.proposal.message)]


def test_what_is_printed_says_that_nothing_is_changed() -> None:
    found = ONE_SLIP["misread"][0]
    printed = list(proposal_lines(found, repaired(found), "12", "archive.db", "en"))
    assert printed[0] == say_reason(found)
    assert printed[1].startswith("One single change makes it legal.")
    assert printed[-2] == "Nothing is changed unless somebody makes it a correction:"
    assert printed[-1].startswith("  schafkopf correct 12 --set 'tricks.4=\"Dora: SU HA S8 SK\"' --by NAME")
    ambiguous = written(game="Anna rufspiel E")
    assert not any(
        "schafkopf correct" in line for line in proposal_lines(ambiguous, repaired(ambiguous), "12", "archive.db", "en")
    )


def test_a_repair_is_public_json_too() -> None:
    found = ONE_SLIP["misread"][0]
    told = json.loads(json.dumps(repair_report(found, repaired(found), "de")))
    assert told["verdict"] == "unplayable"
    assert told["fit"] == [told["proposal"]]
    assert told["proposal"]["set"] == {"tricks.4": "Dora: SU HA S8 SK"}
    assert told["proposal"]["text"] == "trick 4 card 2 is HA, not GA"
    assert told["proposal"]["text_de"].startswith("Stich 4")
    several = written(game="Anna rufspiel E")
    assert repair_report(several, repaired(several))["proposal"] is None
    assert repair_report(written(), repaired(written()))["tried"] == 0


def test_a_deal_that_was_played_to_its_end_stays_so() -> None:
    """A trick written over the next, in a deal whose hands are not known: taking one out leaves seven tricks."""
    found = written(instead(TRICKS, 7, TRICKS[6]), hands=())
    assert found.verdict == "unplayable"
    assert all(each.replay and each.replay.complete for each in after_each(found, repaired(found)))


def test_what_is_printed_is_german_where_that_is_asked_for() -> None:
    found = ONE_SLIP["misread"][0]
    printed = list(proposal_lines(found, repaired(found), "12", "archive.db", "de"))
    assert printed[0].startswith("Stich ")
    assert printed[1].startswith("Eine einzige Änderung macht es regelgerecht. (")
    assert printed[3].startswith("  Dann: stimmt. ")
    assert printed[-2] == "Geändert wird nichts, solange niemand es berichtigt:"
    assert "--why 'Stich 4" in printed[-1]


def test_cards_are_named_as_on_the_faces_of_the_pack() -> None:
    right = next(each for each in correct() if each.session.rules == "bauernstoss")
    tricks = list(right.deal.tricks or ())
    tricks[0] = replace(tricks[0], cards=tricks[0].cards[1:] + tricks[0].cards[:1])
    found = judge(right.session, replace(right.deal, tricks=tuple(tricks)), 1, right.before)
    assert found.verdict == "unplayable"
    assert all(not set("♣♠♥♦").isdisjoint(say(each.message, faces="french")) for each in repaired(found).fits)


def test_a_change_that_leaves_a_key_out_or_adds_one_is_a_correction_too() -> None:
    found = written()
    without = replace(found.deal, dealer=None, stated=Stated(points=71))
    for one, other in ((found.deal, without), (without, found.deal)):
        entries = entries_between(found.session, one, other)
        assert with_entries(found.session, one, entries) == other
        assert json.loads(json.dumps(entries)) == entries


def changes_of(found: Judgement) -> list[Change]:
    assert found.ruleset
    assert found.replay
    assert found.settlement
    case = Case(found.deal, found.session.players, found.ruleset, found.before, found.replay, found.settlement)
    return [change for kind in CHANGES for change in kind(case)]


def test_every_change_can_be_written_as_a_correction() -> None:
    for found in (ONE_SLIP["misread"][0], ONE_SLIP["the called suit, with what is stated"][0], *correct()):
        for change in changes_of(found)[::7]:
            entries = entries_between(found.session, found.deal, change.deal)
            assert with_entries(found.session, found.deal, entries) == change.deal, change.message


def test_unknown_cards_are_not_filled_in() -> None:
    """Nothing is read into a card that nobody knows."""
    found = written(instead(instead(TRICKS, 0, "Anna: EO ?? H7 H9"), 4, "Ben: GA G9 GK GZ"))
    for each in repaired(found).fits:
        deal_: Deal = with_entries(found.session, found.deal, each.set)
        assert "??" in (deal_.tricks or ())[0].cards


def test_every_change_has_its_german() -> None:
    for found in (ONE_SLIP["misread"][0], ONE_SLIP["the called suit, with what is stated"][0], *correct()):
        for change in changes_of(found):
            assert say(change.message, "de") != say(change.message), change.message
    for count in (0, 1, 2, 3, 12):
        assert say(how_many(count), "de") != say(how_many(count))
