"""`/stats/fairness`: whether the cards lie as chance deals them, in all files or in one; the plot of all scores."""

from collections import Counter
from typing import Any

from flask import Flask, Response, abort, render_template, request, url_for

from archive.stats import fairness_counts
from archive.stats.fairness import LEAST, OF, Trials, run_trials, score_limit
from archive.store.row_values import row_number
from archive.text.fairness import CANNOT, PEOPLE, TEST_TITLES, Names, fairness_page
from archive.text.file_names import file_name
from archive.text.numbers import format_decimal
from archive.text.wording import Texts
from archive.web.request import CHOICES, connection, has_archive, request_texts
from archive.web.vega import Chart, chart_file, draw_plot


def setup(app: Flask) -> None:
    @app.get("/stats/fairness", endpoint="fairness")
    def fairness() -> str:
        t, files = request_texts(), _files()
        source = _source(files)
        groups, trials = _trials_of(source)
        page: dict[str, Any] = {"files": [(key, file_name(path)) for key, path in files.items()]}
        page |= {"source": source, "few": groups.few, "more": groups.more, "least": LEAST, "page": None, "plot": None}
        page["cannot"] = CANNOT
        if trials.trials:
            people = {trial.group.key for trial in trials.trials if trial.group.kind in PEOPLE}
            names = Names(files, fairness_counts.player_names(connection(), people))
            page["page"] = fairness_page(trials, names, t)
            page["plot"] = draw_plot(score_chart(trials, t), url_for("fairness_plot", source=source), t)
        return render_template("fairness/fairness.html", **page)

    @app.get("/stats/fairness/plot.json")
    def fairness_plot() -> Response:
        t = request_texts()
        _, trials = _trials_of(_source(_files()))
        if not trials.trials:
            abort(404, t["no_plot"])
        return Response(chart_file(score_chart(trials, t), t), content_type="application/json")

    def _files() -> dict[int, str]:
        return fairness_counts.files_with_hands(connection()) if has_archive() else {}

    def _trials_of(source: int | None) -> tuple[fairness_counts.Groups, Trials]:
        if not has_archive():
            return fairness_counts.Groups((), 0, 0), Trials((), 0)
        groups = fairness_counts.load_groups(connection(), source)
        return groups, run_trials(groups.tested, groups.besides)


def _source(files: dict[int, str]) -> int | None:
    """Return the file that the address names, which is all that this is asked of."""
    if unknown := [key for key in request.args if key not in (*CHOICES, "source")]:
        abort(400, request_texts()["st_ill"].format(key=unknown[0][:40], can="source"))
    given = request.args.get("source") or None
    if given is None:
        return None
    return number if (number := row_number(given)) in files else abort(404, request_texts()["fn_no_file"])


STEP = 0.5  # scores that are drawn as one dot
REACH = 10.0  # standard deviations that are drawn at most


def axis_reach(trials: Trials) -> float:
    """Return how far the axis reaches: past the outer lines and to the farthest score, at most to its fixed end."""
    farthest = max((abs(trial.score) for trial in trials.trials), default=0.0)
    return min(max(REACH, score_limit(trials.number) + 1), max(score_limit(trials.number), farthest) + 1)


def score_chart(trials: Trials, t: Texts) -> Chart:
    """Return the scores of all tests, by kind."""
    edge = axis_reach(trials)
    counts = Counter(
        (trial.of, max(-edge, min(edge, round(trial.score / STEP) * STEP)), trial.stands_out) for trial in trials.trials
    )
    order = sorted(counts.items(), key=lambda item: (OF.index(item[0][0]), item[0][1:]))
    return Chart(
        spec="scores",
        rows=[
            {"label": t[TEST_TITLES[of]], "score": score, "out": out, "count": count}
            for (of, score, out), count in order
        ],
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
