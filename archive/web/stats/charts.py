"""Pictures of an answer: from its rows to plots. What has another unit or other rules has a picture of its own."""

from collections.abc import Iterator, Sequence, Set

from msgspec import Struct

from archive.stats.query import Answer
from archive.text.wording import sentence
from archive.web.queries import rows_by
from archive.web.stats.answer import Facts, ValueWords, answer_rows, column_head, label_text
from archive.web.stats.chart_data import CHART_DATA, ROWS
from archive.web.stats.chart_specs import ChartSpec, chart_specs
from archive.web.vega import Chart

MOST_CHARTS = 3  # on a page


class Charts(Struct, frozen=True):
    """The pictures of an answer: `shown` of `count` groups, the largest first."""

    charts: tuple[Chart, ...]
    shown: int
    count: int


def charts_of_answer(answer: Answer, words: ValueWords, whole: int = MOST_CHARTS) -> Charts:
    """The charts of the groups of an answer that have most cases; at most about `whole` of them."""
    rows, size, specs = answer_rows(answer), answer.question.size, chart_specs(answer.question, answer.columns)
    apart = {name for shape in specs for name in shape.apart}
    alike = {name for name in apart if len({row[name] for row in rows}) < 2}
    charts, shown, count, most = [], 0, 0, max(1, whole // max(1, len(specs)))
    for shape in specs:
        groups = list(_groups(rows, shape, size))
        shown, count = max(shown, min(most, len(groups))), max(count, len(groups))
        charts += [each for group in groups[:most] if (each := _chart(shape, group, size, words, alike)).rows]
    return Charts(tuple(charts), shown, count)


def _groups(rows: Sequence[Facts], shape: ChartSpec, size: str) -> Iterator[list[Facts]]:
    """Rows that are drawn together and have something to draw, those of most cases first."""
    drawn = (row for row in rows if row[shape.value] is not None)
    groups = rows_by(lambda row: tuple([row[name] for name in shape.apart]), drawn)
    order = sorted(groups, key=lambda key: (-sum(row[size] or 0 for row in groups[key]), str(key)))
    for key in order:
        yield groups[key]


def _chart(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords, alike: Set[str]) -> Chart:
    """A chart of a group; its title names what sets it apart, without what is `alike` in the whole answer."""
    t = words.t
    apart = ", ".join(label_text(name, rows[0], words) for name in shape.apart if name not in alike)
    drawing = CHART_DATA[shape.spec](shape, rows, size, words)
    title = sentence(column_head(shape.value, t) if shape.spec not in TITLED else t[TITLED[shape.spec]])
    says = "; ".join(" ".join(filter(None, row)) for row in drawing["cells"][:ROWS])
    return Chart(spec=shape.spec, title=f"{title}: {apart}" if apart else title, says=says, **drawing)


TITLED = {"points": "sc_points", "runners": "sc_runners", "months": "sc_deals", "verdicts": "sc_deals",
          "scatter": "sc_per_deal", "dealt": "sc_hands_rate"}  # fmt: skip
