"""The plot of the scores of all tests of fairness."""

from collections import Counter
from typing import Any

from archive.stats.fairness import OF, Trials, score_limit
from archive.text.fairness import TEST_TITLES
from archive.text.numbers import format_decimal
from archive.text.wording import Texts
from archive.web.vega import Chart

STEP = 0.5  # scores that are drawn as one dot
REACH = 10.0  # standard deviations that are drawn at most


def score_dots(trials: Trials, t: Texts) -> list[dict[str, Any]]:
    """Return the scores of each kind of test, those that are nearly equal as one dot."""
    edge = axis_reach(trials)
    counts = Counter(
        (trial.of, max(-edge, min(edge, round(trial.score / STEP) * STEP)), trial.stands_out) for trial in trials.trials
    )
    order = sorted(counts.items(), key=lambda item: (OF.index(item[0][0]), item[0][1:]))
    return [
        {"label": t[TEST_TITLES[of]], "score": score, "out": out, "count": count} for (of, score, out), count in order
    ]


def axis_reach(trials: Trials) -> float:
    """Return how far the axis reaches: past the outer lines and to the farthest score, at most to its fixed end."""
    farthest = max((abs(trial.score) for trial in trials.trials), default=0.0)
    return min(max(REACH, score_limit(trials.number) + 1), max(score_limit(trials.number), farthest) + 1)


def score_chart(trials: Trials, t: Texts) -> Chart:
    """Return the scores of all tests, by kind."""
    return Chart(
        spec="scores",
        rows=score_dots(trials, t),
        values={"limit": score_limit(trials.number), "reach": axis_reach(trials)},
        title=t["fn_picture"],
        says=t["fn_says"].format(tests=len(trials.trials), out=len(trials.standing_out)),
        caption=t["fn_caption"].format(reach=format_decimal(axis_reach(trials), 1, t)),
        heads=(t["fn_kind"], t["fn_made"], t["fn_beyond"], t["fn_by_chance"], t["fn_farthest"]),
        cells=tuple(_kind_row(of, trials, t) for of in OF),
    )


def _kind_row(of: str, trials: Trials, t: Texts) -> tuple[str, ...]:
    scores = [trial.score for trial in trials.trials if trial.of == of]
    beyond = sum(abs(score) > 2 for score in scores)
    by_chance, farthest = format_decimal(0.0455 * len(scores), 1, t), max(scores, key=abs)
    return (t[TEST_TITLES[of]], str(len(scores)), str(beyond), by_chance, format_decimal(farthest, 1, t, sign=True))
