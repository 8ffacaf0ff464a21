"""The end of an evening as a picture for a group, as high as a screen that is held upright."""

from collections.abc import Iterator

from archive.text.wording import Texts
from archive.web.preview.scene import (
    BRASS,
    FELT,
    FELT_INK,
    FELT_SOFT,
    SHADE,
    CardAt,
    Drawn,
    Label,
    Scene,
    fan,
    fit_name,
    fit_text,
    heading,
    wrap_text,
)
from archive.web.session.closing import Closing
from archive.web.session.story import HEIGHT as LINE_HEIGHT
from archive.web.session.story import WIDTH as LINE_WIDTH

WIDE, HIGH = 1080, 1350
EDGE = 56
TOP = 180  # of the heading
MOST_ROWS = 7
LINES = ("#e6b54a", "#8fd3ff", "#ff9f8a", "#b5e48c", "#d9b8ff", "#ffd6e7", "#c9d6cf")  # a colour a player
LINE_X, LINE_SCALE = 470, 2.2
CARD_WIDE = 88
ROOM = WIDE - 2 * EDGE


def closing_scene(closing: Closing, t: Texts) -> Scene:
    """Return the picture of the end of a session."""
    paths = [Drawn(d=f"M0 0H{WIDE}V{TOP}H0z", fill=SHADE)]
    words = closing.title, closing.facts, t["site"]
    labels = [*heading(words, (FELT_INK, FELT_SOFT, BRASS), (52, 88), (30, 142), EDGE, WIDE, 28)]
    cards: list[CardAt] = []
    rows = closing.ranking[:MOST_ROWS]
    high = min(92.0, 440 / max(1, len(rows)))
    for n, each in enumerate(rows):
        y, colour = TOP + 24 + n * high, LINES[n % len(LINES)]
        base, size = y + high * 0.62, min(46.0, high * 0.46)
        labels.append(Label(text=f"{each.place}.", x=EDGE, y=base, size=size, fill=FELT_SOFT))
        names = " / ".join(name for name, _ in each.people)
        name, large = fit_name(names, LINE_X - EDGE - 84, (size, 0.75 * size, 0.55 * size))
        labels.append(Label(text=name, x=EDGE + 64, y=base, size=large, fill=colour, bold=True))
        amount = f"({each.total})" if each.open else each.total
        labels.append(Label(text=amount, x=WIDE - EDGE, y=base, size=size, fill=FELT_INK, anchor="end", bold=True))
        scale = min(LINE_SCALE, (high - 14) / LINE_HEIGHT)
        for d, stroke in ((f"M0 {each.zero}H{LINE_WIDTH}", FELT_SOFT), (each.line, colour)):
            paths.append(Drawn(d=d, stroke=stroke, x=LINE_X, y=y + 4, scale=scale))
    y = TOP + 24 + high * len(rows) + 52
    for label in _texts(closing, y, HIGH - (230 if closing.hand else 60), t):
        labels.append(label)
    if closing.hand:
        top = HIGH - 48 - CARD_WIDE * 94 / 60
        name, codes = closing.hand
        cards = list(fan(codes, EDGE, top, CARD_WIDE, ROOM, 0))
        says = t["cl_hand"].format(name=name)
        labels.append(Label(text=fit_text(says, ROOM, 26), x=EDGE, y=top - 14, size=26, fill=FELT_SOFT))
    return Scene(FELT, tuple(paths), tuple(cards), tuple(labels), WIDE, HIGH)


def _texts(closing: Closing, y: float, end: float, t: Texts) -> Iterator[Label]:
    """Yield who pays whom, then the honours, as far as there is room."""
    parts = [(t["cl_who_pays"], " ".join(each.read_aloud for each in closing.payments))] if closing.payments else []
    parts += [(title, says.read_aloud) for title, says in closing.honours]
    for title, text in parts:
        lines = wrap_text(text, ROOM, 30, 3)
        if y + 40 * len(lines) > end:
            return
        yield Label(text=fit_text(title, ROOM, 26, True), x=EDGE, y=y, size=26, fill=BRASS, bold=True)
        for n, line in enumerate(lines, 1):
            yield Label(text=line, x=EDGE, y=y + 40 * n, size=30, fill=FELT_INK)
        y += 40 * len(lines) + 46
