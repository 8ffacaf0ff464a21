"""An evening as a picture: the ranking, the course of each total as a line, and the story in sentences."""

from archive.text.wording import Texts
from archive.web.preview.scene import (
    GOOD,
    HAIR,
    INK,
    PAPER,
    SOFT,
    WIDTH,
    Drawn,
    Label,
    Scene,
    fit_name,
    heading,
    wrap_text,
)
from archive.web.session.story import HEIGHT as LINE_HEIGHT
from archive.web.session.story import WIDTH as LINE_WIDTH
from archive.web.session.story import Story

EDGE = 48
FIRST, LAST = 150, 500  # where the rows begin and end
MOST_ROWS = 6
LINE_X = 560


def session_scene(title: str, facts: str, story: Story, totals: list[tuple[str, str]], t: Texts) -> Scene:
    """Return the picture of a session: its ranking, or in a game of marks the `totals` of those who score together."""
    rows = [(f"{each.place}.", " / ".join(name for name, _ in each.people), each.total, each.line, each.zero, each.open)
        for each in story.ranking] or [("", names, total, "", 0.0, False) for names, total in totals]  # fmt: skip
    paths, labels = [], [*heading((title, facts, t["site"]), (INK, SOFT, SOFT), (46, 72), (28, 114), EDGE)]
    high = min(84.0 if story.ranking else 110.0, (LAST - FIRST) / max(1, min(len(rows), MOST_ROWS)))
    scale = min(2.2, (high - 12) / LINE_HEIGHT)
    for n, (place, names, total, line, zero, is_open) in enumerate(rows[:MOST_ROWS]):
        y = FIRST + n * high
        base, size = y + high * 0.66, min(48.0, high * 0.48)
        labels.append(Label(text=place, x=EDGE, y=base, size=size, fill=SOFT))
        room = (LINE_X if line else WIDTH - 300) - EDGE - 90
        name, large = fit_name(names, room, (size, 0.75 * size, 0.55 * size))
        labels.append(Label(text=name, x=EDGE + 64 if place else EDGE, y=base, size=large, fill=INK, bold=True))
        amount = f"({total})" if is_open else total
        fill = GOOD if total.startswith("+") else INK
        labels.append(Label(text=amount, x=WIDTH - EDGE, y=base, size=size, fill=fill, anchor="end", bold=True))
        if line:
            for d, stroke in ((f"M0 {zero}H{LINE_WIDTH}", HAIR), (line, SOFT)):
                paths.append(Drawn(d=d, stroke=stroke, x=LINE_X, y=y + 6, scale=scale))
    text = " ".join(str(sentence) for sentence in story.sentences)
    for n, line in enumerate(wrap_text(text, WIDTH - 2 * EDGE, 28, 2)):
        labels.append(Label(text=line, x=EDGE, y=556 + 38 * n, size=28, fill=INK))
    return Scene(PAPER, tuple(paths), (), tuple(labels))
