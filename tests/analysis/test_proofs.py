"""Proofs: a claim to all the rest, a revoke, a surrender."""

import json
from pathlib import Path

import pytest
from analysis.test_open_cards import SOLVER, Position, analysed, legal, played
from msgspec.structs import replace
from support.paths import ROOT
from support.running import run
from support.thorough import examples

from archive.analysis import analyse
from archive.analysis.contracts import prospects
from archive.analysis.proofs import Proof, disputes, proofs
from archive.cards import BIT, CODES, numbers
from archive.cli.analyse import deals_of
from archive.judge import Judgement, judge
from archive.judge.types import Case, case_of
from archive.play.claims import Claim, is_claim_right
from archive.record import Event
from archive.rules import Contract, Tables, tables
from archive.text.analysis import proof_messages

SAMPLES = ROOT / "sample_games" / "valid"


def proofs_of(name: str, number: int) -> tuple[Judgement, tuple[Proof, ...]]:
    judgement = next(each for each in deals_of(str(SAMPLES / f"{name}.toml"), "", "en") if each.number == number)
    case = case_of(judgement)
    assert case
    return judgement, proofs(case, SOLVER)


def disputes_and_proofs(case: Case) -> tuple[bool, tuple[Proof, ...]]:
    return bool([*disputes(case)]), proofs(case, SOLVER)


def test_a_claim_with_seven_runners_holds_against_every_defence() -> None:
    judgement, (proof,) = proofs_of("irregular", 9)
    assert (proof.kind, proof.at, proof.holds) == ("claim", (1, 1), True)
    assert len(proof.line) == 32
    assert len(proof.order) == 8
    assert proof_messages(judgement, (proof,), "en")[0].id == "analysis.proof-claim-order"
    without = proof._replace(order=())
    assert proof_messages(judgement, (without,), "en")[0].id == "analysis.proof-claim-right"


def test_a_claim_that_fails_is_refuted_by_cards() -> None:
    _, (proof,) = proofs_of("irregular", 8)
    assert (proof.kind, proof.at, proof.holds) == ("claim", (7, 1), False)
    assert 0 < len(proof.line) <= 8


def test_what_a_revoke_could_change_is_the_value_before_it() -> None:
    _, (lost,) = proofs_of("irregular", 3)
    assert (lost.kind, lost.at) == ("revoke", (3, 4))
    assert lost.level.settlement.won is False
    _, (won,) = proofs_of("irregular", 5)
    assert won.level.settlement.won is True


def test_a_play_with_a_revoke_has_no_value_though_what_it_could_change_has() -> None:
    judgement, found = proofs_of("irregular", 3)
    case = case_of(judgement)
    assert case
    assert analyse(case, SOLVER) == "analysis.revoke"
    assert found


@pytest.mark.parametrize("card", ["E6", "twice"])
def test_where_a_hand_is_no_part_of_the_pack_nothing_is_proved(card: str) -> None:
    judgement, found = proofs_of("irregular", 3)
    assert found
    hands = judgement.deal.hands
    assert hands
    first, second, *others = hands
    assert first
    assert second
    wrong = (*first[1:], second[0] if card == "twice" else card)
    deal = replace(judgement.deal, hands=(wrong, second, *others))
    case = case_of(judge(judgement.session, deal, judgement.number, judgement.before))
    assert case
    assert disputes_and_proofs(case) == (True, ())


def test_a_claim_is_proved_and_games_are_valued_where_forehand_lays_down() -> None:
    case = case_of(proofs_of("bauernstoss", 4)[0])
    assert case
    leader = case.replay.playing[0]
    assert leader != case.replay.active[0]
    shown = replace(case, deal=replace(case.deal, events=(Event(leader, "shows", "1.1", "all"),)))
    (proof,) = proofs(shown, SOLVER)
    assert proof.line[0] in (case.replay.dealt[leader] or ())
    assert isinstance(prospects(case, case.replay.declarer or 0, SOLVER, 1), tuple)


def test_a_game_that_was_given_up_has_a_value() -> None:
    _, (proof,) = proofs_of("palatinate-four", 5)
    assert proof.kind == "surrender"
    assert proof.level
    assert proof.line


def test_claims_are_those_of_the_search_that_tries_every_card() -> None:
    """Every player claims at the first card of each of the last four tricks of random deals."""
    right = wrong = 0
    for case, _ in analysed("bavarian"):
        width, size = len(case.replay.playing), len(case.replay.leaders)
        for trick in range(max(1, size - 3), size + 1):
            leader = case.replay.leaders[trick - 1]
            for seat in case.replay.playing:
                event = Event(seat, "shows", f"{trick}.1", "all")
                (proof,) = proofs(replace(case, deal=replace(case.deal, events=(event,))), SOLVER)
                expected = is_claim_right(claim_of(case, trick, seat, leader or 0), *rules_of(case), limit=200_000)
                assert expected is None or proof.holds == expected, (case.deal, trick, seat)
                right += proof.holds
                wrong += not proof.holds
                assert proof.holds or len(proof.line) <= (size - trick + 1) * width
    assert right
    assert wrong


def test_no_defence_breaks_the_order_in_which_a_claim_is_led() -> None:
    """Of claims to the last four tricks of random deals, with every defence."""
    ordered = 0
    for case, analysis in analysed("bavarian", examples(60, 500)):
        deal, game = analysis.deal, case.deal.game
        rows = case.ruleset.contracts[game.contract], rules_of(case)[0]
        for trick in range(deal.tricks - examples(2, 3), deal.tricks + 1):
            leader = case.replay.leaders[trick - 1]
            assert leader is not None
            event = Event(leader, "shows", f"{trick}.1", "all")
            (proof,) = proofs(replace(case, deal=replace(case.deal, events=(event,))), SOLVER)
            if proof.order:
                held = {
                    seat: sum(BIT[step.card] for step in case.replay.steps if step.seat == seat and step.trick >= trick)
                    for seat in case.replay.playing
                }
                searched = int(any(is_of_called_suit(rows[1], step.card) for step in case.replay.steps
                                   if step.trick < trick and step.place == 1))  # fmt: skip
                assert proof.holds
                assert sum(BIT[card] for card in proof.order) == held[leader]
                assert never_beaten(case, rows, Position(held, leader, searched=searched), list(proof.order))
                ordered += 1
    assert ordered > 20


def never_beaten(case: Case, rows: tuple[Contract, Tables], at: Position, order: list[str]) -> bool:
    """Whether who leads these cards one after another wins each trick against every legal card of the others."""
    if not at.trick and not order:
        return True
    mine = not at.trick
    cards = [CODES.index(order[0])] if mine else numbers(legal(rows, at.hands[at.turn], at.trick, at.searched))
    leader = at.turn if mine else at.trick[0][0]
    for card in cards:
        assert legal(rows, at.hands[at.turn], at.trick, at.searched) >> card & 1
        then = played(case, rows[1], at, card)
        if (not then.trick and then.turn != leader) or not never_beaten(case, rows, then, order[mine:]):
            return False
    return True


def is_of_called_suit(compiled: Tables, card: str) -> bool:
    return bool(compiled.called_suit & BIT[card])


def rules_of(case: Case) -> tuple[Tables, tuple[str, ...]]:
    game = case.deal.game
    return tables(case.ruleset, game.contract, game.suit, game.called), case.ruleset.contracts[game.contract].duties


def claim_of(case: Case, trick: int, seat: int, leader: int) -> Claim:
    compiled, _ = rules_of(case)
    before = [step for step in case.replay.steps if step.trick < trick]
    around = list(case.replay.playing)
    hands = tuple(
        sum(1 << CODES.index(step.card) for step in case.replay.steps if step.seat == each and step.trick >= trick)
        for each in around
    )
    led = [1 << CODES.index(step.card) for step in before if step.place == 1]
    searched = int(any(card & compiled.called_suit for card in led))
    return Claim(around.index(seat), hands, around.index(leader), (), searched)


def test_what_explains_a_deal_also_says_what_is_proved_of_it(tmp_path: Path) -> None:
    db = str(tmp_path / "archive.db")
    run("import", SAMPLES / "irregular.toml", "--db", db)
    refuted = run("audit", "explain", "8", "--db", db).output
    assert "does not take every trick that is left" in " ".join(refuted.split())
    (proof,) = json.loads(run("audit", "explain", "3", "--json", "--db", db).output)["proofs"]
    assert (proof["kind"], proof["trick"], proof["place"], proof["won"]) == ("revoke", 3, 4, False)
    assert sum(proof["payments"]) == 0
    assert "proofs" not in json.loads(run("audit", "explain", "1", "--json", "--db", db).output)
