"""A picture of 1200 by 630 units, the size that messengers show: texts, cards and paths at their places."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from archive.text.dates import format_day
from archive.text.wording import Texts
from archive.web.deal.model import DealHeading
from archive.web.preview.png import drawable
from archive.web.text_width import text_width

WIDTH, HEIGHT = 1200, 630
CARD = 94 / 60  # height of a card by its width
ISOLATES = dict.fromkeys(range(0x2066, 0x206A))

FELT, FELT_INK, FELT_SOFT, SHADE, BRASS = "#2f5f4a", "#f6f3e7", "#d9e5dc", "#234738", "#e6b54a"
PAPER, INK, SOFT, HAIR, GOOD = "#faf8f2", "#1d201c", "#5a5f55", "#dedacb", "#1c6340"


class Label(Struct, frozen=True, kw_only=True):
    """A text at a place, from there on (`start`), around it (`middle`) or up to it (`end`)."""

    text: str
    x: float
    y: float  # of the line that it stands on
    size: float
    fill: str
    anchor: str = "start"
    bold: bool = False
    struck: bool = False


class CardAt(Struct, frozen=True):
    """A card by its code; `face` if it is not known, `back` if it is not shown."""

    code: str
    x: float
    y: float
    width: float


class Drawn(Struct, frozen=True, kw_only=True):
    """A path, filled or as a line, moved and enlarged."""

    d: str
    fill: str = "none"
    stroke: str = "none"
    x: float = 0
    y: float = 0
    scale: float = 1


class Scene(Struct, frozen=True):
    """A picture: its ground, then paths, cards and texts, one above the other."""

    ground: str
    paths: tuple[Drawn, ...]
    cards: tuple[CardAt, ...]
    labels: tuple[Label, ...]
    width: int = WIDTH
    height: int = HEIGHT


def fit_text(text: str, room: float, size: float, bold: bool = False) -> str:
    """Return a text as far as there is room for it, the rest as an ellipsis."""
    text = drawable(" ".join(text.split()))
    if text_width(text, size, bold) <= room:
        return text
    while text and text_width(f"{text}…", size, bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…" + "\u2069" * (text.count("\u2068") - text.count("\u2069"))


def heading(
    words: tuple[str, str, str],
    inks: tuple[str, str, str],
    title_at: tuple[int, int],
    facts_at: tuple[int, int],
    edge: int,
    width: int = WIDTH,
    site_size: int = 26,
) -> Iterator[Label]:
    """Yield the title of a picture, the facts below it and the name of the site at the end of its line, in these
    colours; `title_at` and `facts_at` are the size of the letters and the line that they stand on."""
    (title, facts, site), (title_ink, facts_ink, site_ink), room = words, inks, width - 2 * edge
    (size, y), (small, below) = title_at, facts_at
    title = fit_text(title, room - text_width(site, site_size) - 20, size, True)
    yield Label(text=title, x=edge, y=y, size=size, fill=title_ink, bold=True)
    yield Label(text=fit_text(facts, room, small), x=edge, y=below, size=small, fill=facts_ink)
    yield Label(text=site, x=width - edge, y=y, size=site_size, fill=site_ink, anchor="end")


def heading_words(of: DealHeading, t: Texts) -> tuple[str, str, str]:
    """Return the title of a deal, where and when it was, and the name of the site."""
    day = format_day(of.place.date, t) if of.place.date else ""
    facts = " · ".join(filter(None, (of.session, day)))
    return t["deal_is"].format(number=of.number, game=of.title), facts, t["site"]


def wrap_text(text: str, room: float, size: float, most: int) -> list[str]:
    """Return a text on lines of that width, at most `most` of them."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > room and len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = longer
    return [fit_text(line, room, size) for line in lines if line]


def fit_name(name: str, room: float, sizes: Sequence[float]) -> tuple[str, float]:
    """Return a name that stands alone, in the largest of some sizes for which there is room; shortened if there is room
    for none."""
    name = drawable(plain_name(name))
    size = next((each for each in sizes if text_width(name, each, True) <= room), sizes[-1])
    return fit_text(name, room, size, True), size


def plain_name(text: str) -> str:
    """Return a name that stands alone, without the signs that keep its direction to itself."""
    return text.translate(ISOLATES)


def fan(codes: Sequence[str], x: float, y: float, width: float, room: float, before: float) -> Iterable[CardAt]:
    """Return cards one over the other in a `room`; `before` is the part of them that lies left of x, from 0 to 1."""
    step = min(width * 0.62, (room - width) / max(1, len(codes) - 1))
    left = x - before * (step * (len(codes) - 1) + width) if codes else x
    return (CardAt(code, round(left + n * step, 1), y, width) for n, code in enumerate(codes))
