"""Plain answers to the questions of `archive.stats.questions.tricks`."""

from collections import defaultdict
from collections.abc import Callable

from support.oracle_results import Rows, shared
from support.question_oracle import played, role_of, wilson


def fat_tricks() -> Rows:
    """Return tricks of 20 points and more, those of 40 and more among them."""
    groups: dict[tuple[str, str], dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for each in played():
        replay = each.judgement.replay
        for number, (winner, points) in enumerate(
            zip(replay.winners, replay.trick_points, strict=True) if replay else (), 1
        ):
            if winner is not None and points is not None and points >= 20:
                groups[each.get("rules"), each.get("contract")][role_of(each, winner)].append((number, points))
    rows = []
    for key, by_role in groups.items():
        sample = sum(map(len, by_role.values()))
        for role, tricks in by_role.items():
            champion = sum(points >= 40 for _, points in tricks)
            of = (champion, *wilson(champion, len(tricks)), sum(number for number, _ in tricks) / len(tricks))
            rows.append((*key, role, *shared(len(tricks), sample), *of))
    return rows


ORACLES: dict[str, Callable[[], Rows]] = {"fat_tricks": fat_tricks}
