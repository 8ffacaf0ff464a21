"""Plain answers to the questions of `archive.stats.questions.seat_position`."""

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from support.oracle_results import Rows, shared
from support.question_oracle import Told, bases, in_force, mean, played, seat_won, wilson


def known_outcomes(seats: list[tuple[Told, int]]) -> list[bool]:
    return [won for each, seat in seats if (won := seat_won(each, seat)) is not None]


def seat_advantage() -> Rows:
    groups: dict[tuple[Any, ...], list[tuple[Told, int]]] = defaultdict(list)
    for each in played():
        replay = each.judgement.replay
        for place, seat in enumerate(replay.playing, 1):
            key = each.get("rules"), each.get("unit"), len(replay.playing), place
            groups[key].append((each, seat))
    rows = []
    for key, seats in groups.items():
        amounts = [in_force(each)[seat] for each, seat in seats]
        amounts = [each for each in amounts if each is not None]
        won = known_outcomes(seats)
        declared = [(each, seat) for each, seat in seats if each.get("declarer") == each.get("seats")[seat]]
        made = known_outcomes(declared)
        rates = wilson(len(declared), len(seats)), wilson(sum(made), len(made))
        rows.append((*key, len(seats), len(amounts), mean(amounts), sum(won), *wilson(sum(won), len(won)),
                     len(declared), *rates[0], sum(made), *rates[1],
                     *bases(each for each, seat in seats if in_force(each)[seat] is not None)))  # fmt: skip
    return rows


def forehand_play() -> Rows:
    groups: dict[tuple[Any, ...], list[tuple[Told, int]]] = defaultdict(list)
    totals: Counter[tuple[Any, ...]] = Counter()
    for each in played():
        replay = each.judgement.replay
        if replay and replay.declarer in replay.playing:
            of = each.get("rules"), each.get("contract"), len(replay.playing)
            groups[*of, replay.playing.index(replay.declarer) + 1].append((each, replay.declarer))
            totals[of] += 1
    rows = []
    for key, seats in groups.items():
        won = known_outcomes(seats)
        rows.append((*key, *shared(len(seats), totals[key[:3]]), len(won), sum(won), *wilson(sum(won), len(won))))
    return rows


ORACLES: dict[str, Callable[[], Rows]] = {each.__name__: each for each in (seat_advantage, forehand_play)}
