"""`/stats/fairness`: whether the cards lie as chance deals them, in all files or in one."""

from typing import Any

from flask import Flask, Response, abort, render_template, request, url_for

from archive.stats import fairness_counts
from archive.stats.fairness import LEAST, Trials, run_trials
from archive.store.row_values import row_number
from archive.text.fairness import CANNOT, PEOPLE, Names, fairness_page
from archive.text.file_names import file_name
from archive.web.fairness.plot import score_chart
from archive.web.request import CHOICES, connection, has_archive, request_texts
from archive.web.vega import chart_file, draw_plot


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
