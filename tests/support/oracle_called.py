"""Plain answers to the questions of `archive.stats.questions.called_ace`."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from archive.cards import BIT, is_known, mask
from archive.rules import tables
from support.oracle_results import Rows, grouped, outcome, paid, shared
from support.question_oracle import Told, played, wilson


class Called(NamedTuple):
    """A deal with a called card that was played; tricks count from 1."""

    told: Told
    led_by: str
    led_in: int | None
    fell_in: int
    stabbed: bool | None
    cards: int | None  # of the suit, in the partner's hand


def called() -> Iterator[Called]:
    for each in played():
        found = each.judgement
        game, replay, tricks = found.deal.game, found.replay, found.deal.tricks or ()
        if not (game and game.called and replay and replay.partner is not None and found.ruleset):
            continue
        suit = tables(found.ruleset, game.contract, game.suit, game.called).called_suit
        fell = next((n for n, trick in enumerate(tricks, 1) if game.called in trick.cards), None)
        if fell is None:
            continue
        led = next((n for n, trick in enumerate(tricks[:fell], 1)
                    if not is_known(trick.cards[0]) or BIT[trick.cards[0]] & suit), None)  # fmt: skip
        leader = replay.leaders[led - 1] if led else None
        if led and (leader is None or not is_known(tricks[led - 1].cards[0])):
            continue
        sides = {game.declarer: "declarer", replay.partner: "partner"}
        winner = replay.winners[fell - 1]
        hand = replay.held[replay.partner]
        yield Called(
            each,
            sides.get(leader, "defence") if led else "nobody",
            led,
            fell,
            None if winner is None else replay.sides[winner] == "defence",
            (mask(hand) & suit).bit_count() if hand and all(map(is_known, hand)) else None,
        )


Groups = dict[tuple[Any, ...], list[Called]]


def by(key: Callable[[Called], Any]) -> tuple[Groups, Groups]:
    """Return the deals of each contract by a key, and those of the contract."""
    groups: Groups = defaultdict(list)
    whole: Groups = defaultdict(list)
    for each in called():
        of = each.told.get("rules"), each.told.get("contract")
        groups[*of, key(each)].append(each)
        whole[of].append(each)
    return groups, whole


def stabbed(deals: list[Called]) -> tuple[int, int]:
    known = [each.stabbed for each in deals if each.stabbed is not None]
    return sum(known), len(known)


def found(deals: list[Called]) -> int:
    return sum(each.led_in == each.fell_in for each in deals)


def of_all(deals: list[Called]) -> tuple[Any, ...]:
    return outcome([each.told for each in deals])


def called_ace() -> Rows:
    groups, whole = by(lambda each: each.led_by)
    return [
        (*key, *shared(len(deals), len(whole[key[:2]])), found(deals), *wilson(found(deals), len(deals)),
         stabbed(deals)[0], *wilson(*stabbed(deals)), *of_all(deals))
        for key, deals in groups.items()
    ]  # fmt: skip


def called_ace_by_trick() -> Rows:
    groups, whole = by(lambda each: each.led_in if each.led_by == "defence" else None)
    return [
        (*key, *shared(len(deals), len(whole[key[:2]])), found(deals), stabbed(deals)[0], *wilson(*stabbed(deals)),
         *of_all(deals))
        for key, deals in groups.items()
    ]  # fmt: skip


def run_away() -> Rows:
    rows = []
    for key, deals in by(lambda each: each.cards)[0].items():
        away = [each for each in deals if each.led_by == "partner" and each.led_in != each.fell_in]
        stayed = [each for each in deals if each not in away]
        if key[2] is not None:
            rates = (*wilson(len(away), len(deals)), *of_all(away)[2:], *of_all(stayed)[2:])
            rows.append((*key, len(deals), len(away), *rates))
    return rows


def results_by_called_card() -> Rows:
    groups = grouped("rules", "unit", "contract", "called", fits=lambda each: each.get("called") is not None)
    return [(*key, len(deals), *outcome(deals), paid(deals)) for key, deals in groups.items()]


ORACLES: dict[str, Callable[[], Rows]] = {
    each.__name__: each for each in (called_ace, called_ace_by_trick, run_away, results_by_called_card)
}
