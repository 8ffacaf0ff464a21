"""Pictures of an answer: from its rows to plots. What has another unit or other rules has a picture of its own."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from archive.store.asking import Answer
from archive.web.answers import Facts, Spoken, facts, head, label_text
from archive.web.drawings import DRAWN, ROWS
from archive.web.plots import Glance, Plot, Told, drawn, glance, taken_away
from archive.web.shapes import Shape, shapes
from archive.web.wording import Texts, sentence

PICTURES = 3  # on a page


class Picture(Struct, frozen=True):
    """What is drawn: rows of a specification with the values of its parameters, and its words."""

    spec: str
    title: str
    caption: str
    rows: tuple[Facts, ...]
    values: dict[str, Any]
    cells: tuple[tuple[str, ...], ...]
    heads: tuple[str, ...]
    lines: int | None = None


class Pictures(Struct, frozen=True):
    """The pictures of an answer: `shown` of `count` groups, the largest first."""

    each: tuple[Picture, ...]
    shown: int
    count: int


def pictures(answer: Answer, words: Spoken, whole: int = PICTURES) -> Pictures:
    """What of an answer is drawn, for the groups that have most cases; about so many pictures in the `whole`."""
    rows, size, every = facts(answer), answer.question.size, shapes(answer.question, answer.columns)
    made, shown, count, most = [], 0, 0, max(1, whole // max(1, len(every)))
    for shape in every:
        groups = list(_groups(rows, shape, size))
        shown, count = max(shown, min(most, len(groups))), max(count, len(groups))
        made += [each for group in groups[:most] if (each := _picture(shape, group, size, words)).rows]
    return Pictures(tuple(made), shown, count)


def small(picture: Picture, t: Texts) -> Glance:
    return glance(picture.spec, picture.rows, picture.title, _says(picture), t, picture.values, picture.lines)


def plot(picture: Picture, address: str, t: Texts) -> Plot:
    told = Told(
        title=picture.title,
        says=_says(picture),
        caption=picture.caption,
        heads=picture.heads,
        cells=picture.cells,
        address=address,
    )
    return drawn(picture.spec, picture.rows, told, t, picture.values, picture.lines)


def _says(picture: Picture) -> str:
    return "; ".join(" ".join(filter(None, row)) for row in picture.cells[:ROWS])


def file(picture: Picture, t: Texts) -> bytes:
    return taken_away(picture.spec, picture.rows, t, picture.values, picture.lines)


def _groups(rows: Sequence[Facts], shape: Shape, size: str) -> Iterator[list[Facts]]:
    """Rows that are drawn together and have something to draw, those of most cases first."""
    found: dict[tuple[Any, ...], list[Facts]] = {}
    for row in rows:
        if row[shape.value] is not None:
            found.setdefault(tuple(row[name] for name in shape.apart), []).append(row)
    order = sorted(found, key=lambda key: (-sum(row[size] or 0 for row in found[key]), str(key)))
    for key in order:
        yield found[key]


def _picture(shape: Shape, rows: list[Facts], size: str, words: Spoken) -> Picture:
    t = words.t
    apart = ", ".join(label_text(name, rows[0], words) for name in shape.apart)
    made = DRAWN[shape.spec](shape, rows, size, words)
    title = sentence(head(shape.value, t) if shape.spec not in TITLED else t[TITLED[shape.spec]])
    return Picture(shape.spec, f"{title}: {apart}" if apart else title, **made)


TITLED = {"points": "sc_points", "runners": "sc_runners", "months": "sc_deals", "verdicts": "sc_deals",
          "scatter": "sc_per_deal", "dealt": "sc_hands_rate"}  # fmt: skip
