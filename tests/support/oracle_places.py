"""Plain answers to the questions of `archive.stats.questions.seat_position`."""

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from support.oracle_results import Rows, outcome, shared
from support.question_oracle import Told, mean, played, wilson


def seat_advantage() -> Rows:
    groups: dict[tuple[Any, ...], list[tuple[Told, int]]] = defaultdict(list)
    for each in played():
        replay = each.judgement.replay
        assert replay
        for place, seat in enumerate(replay.playing, 1):
            key = each.get("rules"), each.get("unit"), len(replay.playing), place
            groups[key].append((each, seat))
    rows = []
    for key, seats in groups.items():
        amounts = [paid[seat] for each, seat in seats if (paid := each.get("payments") or each.get("marks"))]
        amounts = [each for each in amounts if each is not None]
        won = [each.get("won")[seat] for each, seat in seats if each.get("won")]
        declared = [(each, seat) for each, seat in seats if each.get("declarer") == each.get("seats")[seat]]
        made = [each.get("won")[seat] for each, seat in declared if each.get("won")]
        rates = wilson(len(declared), len(seats)), wilson(sum(made), len(made))
        rows.append((*key, len(seats), len(amounts), mean(amounts), sum(won), *wilson(sum(won), len(won)),
                     len(declared), *rates[0], sum(made), *rates[1]))  # fmt: skip
    return rows


def forehand_play() -> Rows:
    groups: dict[tuple[Any, ...], list[Told]] = defaultdict(list)
    totals: Counter[tuple[Any, ...]] = Counter()
    for each in played():
        replay, game = each.judgement.replay, each.judgement.deal.game
        if replay and game and game.declarer in replay.playing:
            of = each.get("rules"), each.get("contract"), len(replay.playing)
            groups[*of, replay.playing.index(game.declarer) + 1].append(each)
            totals[of] += 1
    return [(*key, *shared(len(deals), totals[key[:3]]), *outcome(deals)) for key, deals in groups.items()]


ORACLES: dict[str, Callable[[], Rows]] = {each.__name__: each for each in (seat_advantage, forehand_play)}
