"""A settlement can be added up by hand: every line leads to the next, cites a rule, and shows where it is proved."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest
from support.documents import SOURCES, lines_of_documents, plain
from support.samples import valid_deals

from archive import generate
from archive.judge import Judgement, judge_session
from archive.rules import HERE, bundled, load
from archive.settle.types import SettlementLine
from archive.text.deal import settlement_table
from archive.text.wording import card_name
from archive.web.deal.moves import deal_moves
from archive.web.deal.settlement import settlement_row
from archive.web.texts import EN

DEALS = 12  # of an evening of each ruleset
T = EN | {"faces": "german"}

# Lines that nothing in their own deal can show, by the setting whose source they cite, each with the reason.
WITHOUT = {
    "round.": "the rounds in force follow from earlier deals, and stand at the head of the deal",
    "house.hausbock": "a Hausbock was laid by an earlier deal that was thrown in",
    "house.levels.tie": "a stake that is carried over was left by an earlier deal",
    "house.stock": "a pot was filled by earlier deals; what wins it is the line of the game",
    "house.point": "what a point is worth is a setting",
    "house.cap": "the most that a deal may cost is a setting, and the line before shows that it is exceeded",
    "ruling": "an amount that was ruled is shown by the ruling, which stands in the record with its author",
}


@cache
def evening(rules: str) -> tuple[Judgement, ...]:
    head = generate.session(rules)
    return tuple(judge_session(head, generate.deals(Random(rules), head, DEALS)))


CASES = ["the samples", *bundled()]


def found_in(case: str) -> Iterator[Judgement]:
    every = valid_deals() if case == "the samples" else evening(case)
    return (each for each in every if each.settlement and each.settlement.lines)


def lines_of(case: str) -> Iterator[tuple[Judgement, SettlementLine]]:
    return ((found, line) for found in found_in(case) if found.settlement for line in found.settlement.lines)


def excused(line: SettlementLine, found: Judgement) -> bool:
    """Whether nothing in the deal can show a line, for one of the reasons."""
    cites = {cite: key for key, cite in found.ruleset.cites.items() if key.startswith(tuple(WITHOUT))}
    counted = line.kind == "times" and re.match(r"(one|\d+) (knock|doubling)", line.text)  # only their number is known
    own = line.cite.removeprefix(f"{HERE}: ")
    ruled = bool(found.deal.ruling) and found.replay is not None and found.replay.ending is not None
    unseen = found.basis == "facts"
    return unseen or bool(counted) or line.cite in cites or own.startswith(tuple(WITHOUT)) or ruled


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", CASES)
def test_every_line_leads_to_the_next_running_value(case: str) -> None:
    checked = 0
    for found in found_in(case):
        running = 0
        for line in found.settlement.lines:
            moved = {
                "add": running + line.amount, "times": running * line.amount, "at-most": min(running, line.amount),
            }  # fmt: skip
            if line.kind in moved and line.running is not None:
                assert line.running == moved[line.kind], (line, found.deal.source)
                running = line.running
                checked += 1
            else:
                assert line.kind in ("pot", "per-player", "marks") or line.amount == 0, line
        if found.settlement.price is not None and found.settlement.lines[-1].running is not None:
            assert found.settlement.price == running, found.deal.source
    assert checked or all(found.settlement and found.settlement.marks for found in found_in(case))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", CASES)
def test_every_line_cites_a_source_of_its_ruleset_or_a_setting_of_the_table(case: str) -> None:
    for found, line in lines_of(case):
        assert found.ruleset
        document, _, heading = line.cite.partition(" ")
        own = line.cite.startswith(f"{HERE}: ")
        ruled = any(line.cite == each.cite for each in found.deal.ruling or ())
        assert own or ruled or (document.rstrip(":") in found.ruleset.sources and heading), (line, found.deal.source)


@pytest.mark.parametrize("case", CASES)
def test_every_line_shows_the_card_or_call_that_proves_it(case: str) -> None:
    for found, line in lines_of(case):
        assert line.proof or excused(line, found), (line, found.ruleset and found.ruleset.id, found.deal)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", CASES)
def test_every_proof_is_a_place_in_the_viewer(case: str) -> None:
    for found, line in lines_of(case):
        there = {move.id for move in deal_moves(found, "", T)}
        assert set(line.proof) <= there, (line, found.deal.source)


def test_nothing_is_excused_that_no_line_needs() -> None:
    """Each reason stands for lines that there are."""
    needed = {
        key
        for case in CASES
        for found, line in lines_of(case)
        if not line.proof and found.ruleset
        for key in WITHOUT
        if (line.cite == f"{HERE}: {key}" or line.cite.startswith(f"{HERE}: {key}") or any(
            cite == line.cite for each, cite in found.ruleset.cites.items() if each.startswith(key)
        ))
    }  # fmt: skip
    assert needed == set(WITHOUT)


def test_the_page_links_each_proof_and_the_terminal_names_the_card() -> None:
    found, line = next(
        (found, line)
        for found, line in lines_of("the samples")
        if line.text == "Schneider" and line.proof[0].startswith("t") and found.ruleset
        and found.ruleset.house.faces == "german"
    )  # fmt: skip
    step = next(each for each in found.replay.steps if f"t{each.trick}.{each.place}" == line.proof[0])
    assert f"Schneider ({step.trick}.{step.place} {step.card})" in settlement_table(found, 100)
    sums = [settlement_row(each, deal_moves(found, "", T), found.session.players, T) for each in found.settlement.lines]  # type: ignore[union-attr]
    link = next(each.proof[0] for each in sums if each.text == "Schneider")
    assert (link.to, link.text) == (line.proof[0], card_name(step.card, T))


# --- where it is proved -----------------------------------------------------------------------------------------------


def trick(found: Judgement, proof: str) -> int:
    assert proof.startswith("t"), proof
    return int(proof[1:].partition(".")[0])


def won_by(found: Judgement, side: str, until: int) -> int:
    """The card points of a side after so many tricks."""
    seats = [seat for seat, own in enumerate(found.replay.sides) if own == side]
    tricks = zip(found.replay.winners[:until], found.replay.trick_points[:until], strict=True)
    return sum(points or 0 for winner, points in tricks if winner in seats)


def every(want: str, rules: str = "bavarian", contract: str = "rufspiel", **more: object) -> Judgement:
    """A deal whose settlement has a line that begins so."""
    head = generate.session(rules)

    def wanted(found: Judgement) -> bool:
        lines = found.settlement.lines if found.settlement else ()
        return any(line.text.startswith(want) for line in lines)

    made = generate.deal(Random(5), head, contract, want=wanted, **more)  # type: ignore[arg-type]
    return next(judge_session(head, [made]))


def proof_of(found: Judgement, text: str) -> tuple[str, ...]:
    return next(line.proof for line in found.settlement.lines if line.text.startswith(text))


def ended(won: bool) -> Callable[[Judgement], bool]:
    return lambda found: found.settlement is not None and found.settlement.won is won


def high(won: bool) -> Callable[[Judgement], bool]:
    return lambda found: ended(won)(found) and found.settlement is not None and bool(found.settlement.schneider)


def test_the_game_is_proved_by_the_trick_in_which_the_sixty_first_point_fell() -> None:
    found = every("Rufspiel, won")
    at = trick(found, proof_of(found, "Rufspiel")[0])
    assert won_by(found, "declarer", at - 1) < 61 <= won_by(found, "declarer", at)
    lost = every("Rufspiel, lost")
    at = trick(lost, proof_of(lost, "Rufspiel")[0])
    assert won_by(lost, "defence", at - 1) < 60 <= won_by(lost, "defence", at)


def test_schneider_is_proved_by_the_trick_of_the_ninety_first_point_or_of_the_defence_of_the_ninetieth() -> None:
    head = generate.session("bavarian")
    for won, side, points in ((True, "declarer", 91), (False, "defence", 90)):
        made = generate.deal(
            Random(6), head, "rufspiel", lean=1 if won else -1,
            want=high(won),
        )  # fmt: skip
        found = next(judge_session(head, [made]))
        at = trick(found, proof_of(found, "Schneider")[0])
        assert won_by(found, side, at - 1) < points <= won_by(found, side, at)


def test_a_tout_is_proved_by_its_last_trick_or_by_the_one_that_lost_it() -> None:
    head = generate.session("bavarian")
    for won in (True, False):
        made = generate.deal(
            Random(8), head, "solo", tout=True, lean=1 if won else 0.5,
            want=ended(won),
        )  # fmt: skip
        found = next(judge_session(head, [made]))
        at = trick(found, proof_of(found, "Solo")[0])
        sides = {found.replay.sides[winner] for winner in found.replay.winners[: at - 1] if winner is not None}
        assert sides <= {"declarer"}
        assert found.replay.sides[found.replay.winners[at - 1] or 0] == ("declarer" if won else "defence")
        assert proof_of(found, "Tout") == ("g",)


def test_each_runner_is_proved_by_its_card_as_it_was_played() -> None:
    found = every("3 runners, with")
    cards = {f"t{step.trick}.{step.place}": step.card for step in found.replay.steps}
    assert [cards[at] for at in proof_of(found, "3 runners")] == ["EO", "GO", "HO"]


# --- citations --------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not SOURCES.is_dir(), reason=f"no documents in {SOURCES}")
@pytest.mark.parametrize("rules", bundled())
def test_every_citation_is_a_heading_of_its_document(rules: str) -> None:
    """But for the scoring of Bauernstoss (000), a section whose heading the text has lost."""
    ruleset = load(rules)[0]
    for cite in sorted({*ruleset.cites.values()} - {"000 Scoring"}):
        document, _, heading = cite.partition(" ")
        if document == "other:":
            continue
        first = plain(re.split(r": | \(", heading)[0])
        assert any(line.startswith(first) for line in lines_of_documents()[document]), cite
