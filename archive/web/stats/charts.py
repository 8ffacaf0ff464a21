"""Pictures of an answer: from its rows to plots. What has another unit or other rules has a picture of its own."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from archive.store.asking import Answer
from archive.text.wording import Texts, sentence
from archive.web.stats.answer import Facts, ValueWords, answer_rows, column_head, label_text
from archive.web.stats.chart_data import CHART_DATA, ROWS
from archive.web.stats.chart_specs import ChartSpec, chart_specs
from archive.web.vega import Glance, Plot, PlotTexts, draw_glance, draw_plot, spec_with_data

MOST_CHARTS = 3  # on a page


class Chart(Struct, frozen=True):
    """What is drawn: rows of a specification with the values of its parameters, and its words."""

    spec: str
    title: str
    caption: str
    rows: tuple[Facts, ...]
    values: dict[str, Any]
    cells: tuple[tuple[str, ...], ...]
    heads: tuple[str, ...]
    lines: int | None = None


class Charts(Struct, frozen=True):
    """The pictures of an answer: `shown` of `count` groups, the largest first."""

    each: tuple[Chart, ...]
    shown: int
    count: int


def charts_of_answer(answer: Answer, words: ValueWords, whole: int = MOST_CHARTS) -> Charts:
    """What of an answer is drawn, for the groups that have most cases; about so many pictures in the `whole`."""
    rows, size, specs = answer_rows(answer), answer.question.size, chart_specs(answer.question, answer.columns)
    charts, shown, count, most = [], 0, 0, max(1, whole // max(1, len(specs)))
    for shape in specs:
        groups = list(_groups(rows, shape, size))
        shown, count = max(shown, min(most, len(groups))), max(count, len(groups))
        charts += [each for group in groups[:most] if (each := _picture(shape, group, size, words)).rows]
    return Charts(tuple(charts), shown, count)


def chart_glance(picture: Chart, t: Texts) -> Glance:
    return draw_glance(picture.spec, picture.rows, picture.title, _says(picture), t, picture.values, picture.lines)


def chart_plot(picture: Chart, address: str, t: Texts) -> Plot:
    texts = PlotTexts(
        title=picture.title,
        says=_says(picture),
        caption=picture.caption,
        heads=picture.heads,
        cells=picture.cells,
        address=address,
    )
    return draw_plot(picture.spec, picture.rows, texts, t, picture.values, picture.lines)


def _says(picture: Chart) -> str:
    return "; ".join(" ".join(filter(None, row)) for row in picture.cells[:ROWS])


def chart_file(picture: Chart, t: Texts) -> bytes:
    return spec_with_data(picture.spec, picture.rows, t, picture.values, picture.lines)


def _groups(rows: Sequence[Facts], shape: ChartSpec, size: str) -> Iterator[list[Facts]]:
    """Rows that are drawn together and have something to draw, those of most cases first."""
    groups: dict[tuple[Any, ...], list[Facts]] = {}
    for row in rows:
        if row[shape.value] is not None:
            groups.setdefault(tuple(row[name] for name in shape.apart), []).append(row)
    order = sorted(groups, key=lambda key: (-sum(row[size] or 0 for row in groups[key]), str(key)))
    for key in order:
        yield groups[key]


def _picture(shape: ChartSpec, rows: list[Facts], size: str, words: ValueWords) -> Chart:
    t = words.t
    apart = ", ".join(label_text(name, rows[0], words) for name in shape.apart)
    drawing = CHART_DATA[shape.spec](shape, rows, size, words)
    title = sentence(column_head(shape.value, t) if shape.spec not in TITLED else t[TITLED[shape.spec]])
    return Chart(shape.spec, f"{title}: {apart}" if apart else title, **drawing)


TITLED = {"points": "sc_points", "runners": "sc_runners", "months": "sc_deals", "verdicts": "sc_deals",
          "scatter": "sc_per_deal", "dealt": "sc_hands_rate"}  # fmt: skip
