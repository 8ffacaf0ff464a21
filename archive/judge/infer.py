"""Inference: the house settings that a source only implies, worked out from the price steps of a whole session.

Nothing is guessed: a setting follows from what was stated, the evidence is written to `Session.inferred`, and what the
record itself says stands. A step that fits no setting remains a difference, reported by the check of steps.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import PACKS
from archive.judge.judge_deal import errors_in, in_force, judge, rules_of, unknown_to
from archive.judge.types import LedgerState
from archive.notation.corrections import apply_corrections
from archive.play.replay import replay
from archive.play.types import NOT_PLAYED, Replay
from archive.record import Deal, PriceStep, Session, evidence_key
from archive.rules import Ruleset, tables
from archive.say import Message
from archive.settle import facts

NEVER = 0  # in runners_from: never paid
MOST = 14  # runners, if all Obers, Unters and a suit are trumps


class Observation(Struct, frozen=True):
    """A setting (a dotted key under house) and the value that a line of the source implies for it."""

    key: str
    value: Any
    line: int


def infer_house(session: Session, deals: Sequence[Deal]) -> Session:
    """Return the session with the settings that its price steps imply, each with its evidence in `inferred`. Deals
    count as corrected; those with rules, house or players of their own say nothing about the session's."""
    as_corrected = [apply_corrections(session, deal)[0] for deal in deals]
    deals = [deal for deal in as_corrected if in_force(session, deal) is session]
    if not any(deal.stated and deal.stated.steps for deal in deals):
        return session
    session = with_observed_settings(session, observe_play(session, deals))
    ruleset, _ = rules_of(session)
    if ruleset is None:
        return session
    played = [deal for deal in deals if deal.game and deal.game.contract not in NOT_PLAYED]
    known = [deal for deal in played if not errors_in(unknown_to(ruleset, session, deal))]
    replays = [(deal, replay(deal, session.players, ruleset, None)) for deal in known]
    prices = [observation for deal in deals for observation in observe_steps(deal, ruleset)]
    session = with_observed_settings(session, prices_as_tariff(prices))
    session = with_observed_settings(session, runner_minimums(replays, ruleset))
    return best_readings(session, deals, ruleset)


def with_observed_settings(session: Session, observations: Sequence[Observation]) -> Session:
    """Return the session with the value that most lines imply for each setting that the record itself does not set."""
    house = dict(session.house or {})
    evidence = list(session.inferred or ())
    for key in dict.fromkeys(each.key for each in observations):
        values = Counter(repr(each.value) for each in observations if each.key == key)
        best, fits = values.most_common(1)[0]
        first = next(each for each in observations if each.key == key and repr(each.value) == best)
        named = f"house.{key}"
        if _has(house, key) and named not in map(evidence_key, evidence):
            continue
        house = _with(house, key.split("."), first.value)
        facts = {"value": best, "fits": fits, "count": values.total(), "line": first.line}
        evidence = [entry for entry in evidence if evidence_key(entry) != named]
        evidence.append(Message("judge.inferred", {"key": named, **facts}))
    return replace(session, house=house or None, inferred=tuple(evidence) or None)


def _has(house: dict[str, Any], key: str) -> bool:
    for part in key.split("."):
        if not isinstance(house, dict) or part not in house:
            return False
        house = house[part]
    return True


def _with(house: dict[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    if len(path) == 1:
        return house | {path[0]: value}
    return house | {path[0]: _with(house.get(path[0], {}), path[1:], value)}


def _line(deal: Deal) -> int:
    return deal.source.line if deal.source else 0


def observe_play(session: Session, deals: Sequence[Deal]) -> list[Observation]:
    """Return the settings that follow from the deals themselves: contracts, pack, the game when all pass, knocks."""
    ruleset, _ = rules_of(session)
    if ruleset is None:
        return []
    house = ruleset.house
    played = {deal.game.contract: deal for deal in reversed(deals) if deal.game}
    extra = [name for name in ruleset.contracts if name in played and name not in house.contracts]
    observations = []
    if extra:
        lines = min(_line(played[name]) for name in extra)
        observations.append(Observation("contracts", [*house.contracts, *extra], lines))
    for name in extra:
        if ruleset.contracts[name].parties == "each":
            observations.append(Observation("all_pass", name, _line(played[name])))
    decks = []
    for deal in deals:
        sizes = {len(hand) for hand in deal.hands or () if hand is not None}
        deck = sizes.pop() * house.seats if len(sizes) == 1 else 0
        aside = any(ruleset.rounds[name].aside for name in deal.round or () if name in ruleset.rounds)
        if deck in PACKS and not aside:  # if cards lie aside, somebody is dealt fewer
            decks.append(Observation("deck", deck, _line(deal)))
        if deal.knocks and house.knock == "no":
            observations.append(Observation("knock", "anyone", _line(deal)))
    most = Counter(each.value for each in decks).most_common(1)
    return observations if not most or most[0][0] == house.deck else [*observations, *decks]


def observe_steps(deal: Deal, ruleset: Ruleset) -> Iterator[Observation]:
    """Yield the settings that the price steps of a deal imply, each by how far it moves the price."""
    line, before = _line(deal), 0
    contract = ruleset.contracts.get(deal.game.contract) if deal.game else None
    steps = (deal.stated.steps if deal.stated else None) or ()
    extras: dict[str, int] = {}
    for step in steps:
        moved = step.amount - before
        if moved < 0:  # no part of a price lowers it
            return
        if step.kind == "thrown-in":
            yield Observation("schieber.thrown_in", step.amount, line)
        elif contract is None:
            return
        elif step.kind == "base":
            yield Observation(f"price.{contract.price}", step.amount, line)
        elif step.kind == "runners" and step.count and moved % abs(step.count) == 0:
            yield Observation("price.runner", moved // abs(step.count), line)
        elif step.kind in ("schneider", "schwarz"):
            extras[step.kind] = moved
            yield Observation(f"price.{step.kind}", sum(extras.values()), line)
        elif step.kind == "tout" and (reading := tout_reading(step, before, steps)):
            yield Observation("tout", reading, line)
        before = step.amount


def tout_reading(step: PriceStep, before: int, steps: tuple[PriceStep, ...]) -> str | None:
    """Return the setting `tout` that a step implies, given the other steps; None if these leave it open."""
    kinds = [each.kind for each in steps]
    earlier, later = kinds[: kinds.index("tout")], kinds[kinds.index("tout") + 1 :]
    if step.amount != 2 * before:
        return None
    if "schneider" in earlier or "schwarz" in earlier:
        return "all"
    return "base+runners" if "runners" in earlier else "base" if "runners" in later else None


def prices_as_tariff(observations: Sequence[Observation]) -> list[Observation]:
    """Return the prices as a tariff if they make one, with deviations from it; else price by price."""
    best = {
        key: Counter(each.value for each in observations if each.key == f"price.{key}").most_common(1)[0][0]
        for key in ("runner", "schneider", "rufspiel", "solo", "schwarz", "ramsch")
        if any(each.key == f"price.{key}" for each in observations)
    }
    extra = best.get("schneider", best.get("runner"))
    if extra is None or "rufspiel" not in best or "solo" not in best:
        return list(observations)
    call, others = best["rufspiel"], best["solo"]
    tariff = f"{extra}/{others}" if extra == call else f"{extra}/{call}/{others}"
    follows = {
        "schneider": extra,
        "runner": extra,
        "schwarz": 2 * extra,
        "rufspiel": call,
        "solo": others,
        "ramsch": call,
    }
    regular = [key for key, value in best.items() if follows[key] == value]
    lines = [each for each in observations if each.key in {f"price.{key}" for key in regular}]
    fitting = [Observation("tariff", tariff, line.line) for line in lines if best[line.key[6:]] == line.value]
    odd = [Observation("tariff", f"not {tariff}", line.line) for line in lines if best[line.key[6:]] != line.value]
    return [*fitting, *odd, *(each for each in observations if each not in lines)]


class Run(Struct, frozen=True):
    """Runners that a deal had, and whether its price names them."""

    contract: str
    count: int
    paid: bool
    line: int

    def fits(self, least: int) -> bool:
        """Return whether a house that pays from `least` runners would pay, or not pay, as this deal does."""
        return self.paid == (NEVER < least <= self.count)


def runner_minimums(replays: Sequence[tuple[Deal, Replay]], ruleset: Ruleset) -> list[Observation]:
    """Return the fewest runners that each contract pays: what fits most prices and, among those, what is nearest to the
    usual. If no price of the session names runners though two contracts had enough of them, they are never paid."""
    runs: list[Run] = []
    for deal, played in replays:
        game, steps = deal.game, deal.stated.steps if deal.stated else None
        if game and steps and played.complete and "declarer" in played.sides:
            count = facts.runners(played, tables(ruleset, game.contract, game.suit, game.called))
            if count is not None:
                runs.append(Run(game.contract, abs(count), any(step.kind == "runners" for step in steps), _line(deal)))
    observations: dict[str, list[Observation]] = {}
    for contract in dict.fromkeys(run.contract for run in runs):
        usual = ruleset.house.runners_from.get(contract, NEVER)
        own = [run for run in runs if run.contract == contract]
        least = min(range(1, MOST + 1), key=lambda n: (sum(not run.fits(n) for run in own), abs(n - usual)))
        if sum(not run.fits(least) for run in own) < sum(not run.fits(usual) for run in own):
            odd = [run for run in own if not run.fits(usual) and run.fits(least)]
            observations[contract] = [Observation(f"runners_from.{contract}", least, run.line) for run in odd]
    if len(observations) > 1 and not any(run.paid for run in runs):
        return [replace(each, value=NEVER) for several in observations.values() for each in several]
    return [each for several in observations.values() for each in several]


READINGS: dict[str, tuple[Any, ...]] = {
    "ramsch.virgin": ("double-all", "double-own", "double-own-once", "no"),
    "ramsch.tie": (["own-ober"], ["taken-ober"], ["own-trump"], ["taken-trump"], ["tricks"]),
}


def best_readings(session: Session, deals: Sequence[Deal], ruleset: Ruleset) -> Session:
    """Return the session with those settings of a Ramsch under which most of its deals agree; among equals, with the
    fewest that depart from the ruleset."""
    stated = [deal.stated.totals if deal.stated else None for deal in deals]
    alone = [
        (deal, LedgerState(totals=before, stated_totals=before))
        for deal, before in zip(deals, [(0,) * len(session.players), *stated], strict=False)
        if deal.game
        and deal.game.contract in ruleset.contracts
        and ruleset.contracts[deal.game.contract].parties == "each"
    ]
    house = session.house or {}
    keys = [key for key in READINGS if not _has(house, key)]
    choices = [dict(zip(keys, each, strict=True)) for each in product(*((None, *READINGS[key]) for key in keys))]
    choices.sort(key=lambda chosen: sum(value is not None for value in chosen.values()))
    best, fits = choices[0], _agreeing(session, alone)
    for chosen in choices[1:]:
        if len(fits) == len(alone):
            break
        if len(agreeing := _agreeing(_reading(session, chosen), alone)) > len(fits):
            best, fits = chosen, agreeing
    observations = []
    for key in (key for key in keys if best[key] is not None):
        without = _agreeing(_reading(session, best | {key: None}), alone)
        observations += [Observation(key, best[key], _line(deal)) for deal in fits if deal not in without]
    return with_observed_settings(session, observations)


def _reading(session: Session, chosen: dict[str, Any]) -> Session:
    house = session.house or {}
    for key, value in chosen.items():
        house = house if value is None else _with(house, key.split("."), value)
    return replace(session, house=house or None)


def _agreeing(session: Session, deals: Sequence[tuple[Deal, LedgerState]]) -> list[Deal]:
    return [deal for deal, before in deals if judge(session, deal, 0, before).verdict == "agrees"]
