"""The deal settled again: under another reading of the house, with a fact seen differently, or as another game than the
recorded one; and the evidence of the other deals of a session for and against such a reading."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.explain.account import paid_of
from archive.explain.house_variants import Reading, amounts, settle_under
from archive.explain.scene import Fit, Scene, Slip
from archive.explain.writing_slips import fits
from archive.judge.derived_hands import possible_games
from archive.judge.from_facts import with_plainest_play
from archive.judge.judge_deal import with_rounds
from archive.judge.judge_stream import WITNESSES
from archive.judge.sentences import game_fact
from archive.judge.types import Case, Judgement, case_of
from archive.play.game_words import is_tout
from archive.play.replay import replay
from archive.record import Game
from archive.settle.facts import contract_of
from archive.settle.goals import levels_of, points_in_play
from archive.settle.rulings import stated_payments
from archive.settle.settle import settle

Seen = tuple[Slip, Case]
NOTED = {"declarer": "declarer-noted", "suit": "suit-noted", "words": "game-noted", "contract": "contract-noted"}


def resettle(case: Case, **changes: Any) -> Case | None:
    """Return the deal settled again with a fact or a setting changed; None if it cannot be settled so."""
    case = replace(case, **changes)
    settled = settle(case.deal, case.players, case.ruleset, case.replay, case.before)
    return None if settled.payments is None and settled.marks is None else replace(case, settlement=settled)


def seen_otherwise(scene: Scene) -> Iterator[Seen]:
    """Yield facts that a recorder may have seen differently: card points added to the wrong side, a virgin that nobody
    noticed."""
    case = scene.case
    row = case.ruleset.contracts.get(contract_of(case.deal))
    settled = case.settlement
    if row is None:
        return
    if row.parties == "each":
        by_tricks = case.ruleset.house.ramsch.virgin_is == "no-trick"
        for seat in settled.virgins:
            values = list(case.replay.tricks_won if by_tricks else case.replay.points)
            values[seat] = 1
            played = replace(case.replay, **{"tricks_won" if by_tricks else "points": tuple(values)})
            if after := resettle(case, replay=played):
                yield Slip("virgin-missed", {"name": scene.players[seat]}), after
        yield from virgins_counted(scene)
        return
    if row.goal != "points" or settled.won is None or is_tout(case.deal) or settled.side_points is None:
        return
    if settled.marks is not None or case.replay.ending is not None:
        return
    levels, made = levels_of(case.deal, case.ruleset), settled.side_points
    stated = case.deal.stated.points if case.deal.stated else None
    half = points_in_play(case.replay) // 2
    wrong = levels.win - 1 if settled.won else levels.win
    wrong -= settled.won and wrong == half and (row.tie or levels.tie) != "lost"
    if isinstance(stated, int) and stated != made and (stated >= levels.win) != settled.won:
        wrong = stated
    points = list(case.replay.points)
    for side, step in (("declarer", wrong - made), ("defence", made - wrong)):
        seat = [*map(str, case.replay.sides)].index(side)
        points[seat] = (points[seat] or 0) + step
    after = resettle(case, replay=replace(case.replay, points=tuple(points)))
    if after is not None and after.settlement.won is not settled.won and not after.settlement.undecided:
        yield Slip("misadded", {"written": wrong, "points": made}, extra=min(4, abs(wrong - made) / 5)), after


def virgins_counted(scene: Scene) -> Iterator[Seen]:
    """Yield a virgin with a trick, or with card points: among those with the fewest."""
    case, settled = scene.case, scene.case.settlement
    key = "tricks_won" if case.ruleset.house.ramsch.virgin_is == "no-trick" else "points"
    values = getattr(case.replay, key)
    if case.replay.example or None in values:
        return
    others = [seat for seat in case.replay.active if seat != settled.loser and seat not in settled.virgins]
    least = min((values[seat] for seat in others), default=0)
    for seat in others:
        if values[seat] == least:
            counted = tuple([0 if each == seat else own for each, own in enumerate(values)])
            if after := resettle(case, replay=replace(case.replay, **{key: counted})):
                yield Slip("virgin-counted", {"name": scene.players[seat]}), after


def noted_wrongly(scene: Scene) -> Iterator[Seen]:
    """Yield the games that the same cards may have been played in: by another declarer, with another suit or called
    ace, of another contract, with or without a Tout. If no card is known, nothing can exclude them."""
    case = scene.case
    game, played = case.deal.game, case.replay
    if scene.stated_paid is None and scene.totals is None and scene.stated_price is None:
        return
    if game is None or played.example or not played.complete or not case.deal.tricks:
        return
    others = dict.fromkeys(
        each for own in (game, *possible_games(case)) for each in with_other_words(scene, own) if each != game
    )
    for other in others:
        deal = replace(case.deal, game=other)
        again = replay(with_rounds(deal, case.ruleset, case.before), case.players, case.ruleset, case.before.dealer)
        if not again.complete or any(each.severity == "error" for each in again.findings):
            continue
        after = resettle(case, deal=deal, replay=again)
        if after is not None:
            yield noted_slip(scene, game, other), after


def with_other_words(scene: Scene, game: Game) -> Iterator[Game]:
    """Yield a game as it is, and, if it is played, with or without a Tout or a Hand."""
    yield game
    ruleset = scene.case.ruleset
    bare = tuple(word for word in game.words if word not in ("tout", "du", "hand"))
    row = ruleset.contracts.get(game.contract)
    if row is None:
        return
    yield replace(game, words=bare)
    if row.tout_rank is not None:
        yield replace(game, words=(*bare, "tout"))
    if ruleset.house.hand != "no":
        yield replace(game, words=(*bare, "hand"))


def noted_slip(scene: Scene, game: Game, other: Game) -> Slip:
    """Return the slip of a game that was recorded wrongly."""
    kind = next(key for key in ("contract", "declarer", "suit", "words") if getattr(game, key) != getattr(other, key))
    cause = "called-noted" if kind == "suit" and game.called != other.called else NOTED[kind]
    near = 0.5 if kind in ("contract", "words") else 0.0
    return Slip(
        cause,
        {
            "was": game_fact(scene.players, scene.case.ruleset, game),
            "game": game_fact(scene.players, scene.case.ruleset, other),
        },
        extra=near,
    )


SUPPORTED = 1.0  # how much likelier a reading is for each other deal that differs, and would agree by it,
REFUTED = 1.5  # and how much less likely for each that agrees, and would differ, after
FEW = 2  # of them,
DOUBTED = 0.25  # for each of which it is a little less likely
ENOUGH = 5  # deals that refute a reading
SHOWN = 3  # explanations whose readings are tried on the other deals


class Evidence(Struct, frozen=True):
    """Whether each of the other deals that can decide speaks for a reading or against it: of the deals above and of
    those below, the nearest first."""

    above: tuple[bool, ...] = ()
    below: tuple[bool, ...] = ()

    @property
    def against(self) -> int:
        """Return how many deals refute the reading; 0 if the next one needs it too, since it may hold from a deal on,
        or up to one."""
        holds_on = any(side and side[0] for side in (self.above, self.below))
        return 0 if holds_on else sum(not each for each in (*self.above, *self.below))

    @property
    def cost(self) -> float:
        doubted = DOUBTED * min(FEW, self.against)
        return doubted + REFUTED * max(0, self.against - FEW) - SUPPORTED * min(3, sum((*self.above, *self.below)))


def weigh_readings(found: Sequence[Fit], beside: Sequence[Judgement], of: Judgement) -> list[Fit]:
    """Return the fits in order, with those among the likeliest that rest on a reading weighed by the other deals.
    Readings that these refute are left out if anything else explains the deal."""
    others = [each for each in beside if each.session.players == of.session.players]
    left = sorted(found, key=lambda fit: fit.weight)
    refuted: list[Fit] = []
    known: dict[str, Evidence] = {}
    weighed: set[int] = set()
    while others:
        fit = next((each for each in likeliest(left) if id(each) not in weighed and setting_of(each)), None)
        if fit is None:
            break
        key, value = setting_of(fit) or ("", None)
        name = f"{key}={value}"
        if name not in known:
            known[name] = evidence_of(Reading("", key, value), others, of.number)
        evidence = known[name]
        left.remove(fit)
        if evidence.against >= ENOUGH:
            refuted.append(fit)
            continue
        now = replace(fit, weight=fit.weight + evidence.cost)
        weighed.add(id(now))
        left = sorted([*left, now], key=lambda fit: fit.weight)
    return left or refuted


def likeliest(found: Sequence[Fit]) -> list[Fit]:
    """Return the first fit of each of the first sets of causes."""
    first: dict[frozenset[str], Fit] = {}
    for fit in found:
        first.setdefault(frozenset(slip.cause for slip in fit.slips), fit)
        if len(first) == SHOWN:
            break
    return list(first.values())


def setting_of(fit: Fit) -> tuple[str, object] | None:
    """Return the setting of the reading that a fit rests on, with its value; None if it rests on none."""
    return next((slip.setting for slip in fit.slips if slip.setting[0]), None)


def evidence_of(reading: Reading, others: Sequence[Judgement], number: int) -> Evidence:
    """Return how the nearest other deals take a reading: whether it sets them right, or makes them differ. `number` is
    that of the explained deal."""
    above = sorted((each for each in others if each.number < number), key=lambda each: -each.number)
    below = sorted((each for each in others if each.number > number), key=lambda each: each.number)
    above_says, below_says = (
        tuple([says for each in side[:WITNESSES] if (says := speaks_for(reading, each)) is not None])
        for side in (above, below)
    )
    return Evidence(above_says, below_says)


def speaks_for(reading: Reading, other: Judgement) -> bool | None:
    """Return True if a reading sets right what a deal states, False if it makes the deal differ; None if it does
    neither."""
    case, stated = case_of(other), stated_payments(other.deal, other.before.stated_totals)
    if case is None or stated is None or other.verdict not in ("agrees", "differs"):
        return None
    case = with_plainest_play(case) if other.basis == "facts" else case
    read = settle_under(case, other.session, reading)
    if read is None or amounts(read) == amounts(case):
        return None
    paid = paid_of(read)
    agrees = paid is not None and len(paid) == len(stated) and fits(paid, stated)
    return agrees if agrees == (other.verdict == "differs") else None
