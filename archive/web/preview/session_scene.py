"""An evening as a picture: the ranking, the course of each total as a line, and the story in sentences; and its end,
for a group, as high as a screen that is held upright."""

from collections.abc import Iterator

from archive.text.wording import Texts
from archive.web.preview import scene
from archive.web.session.closing import HEIGHT as LINE_HEIGHT
from archive.web.session.closing import WIDTH as LINE_WIDTH
from archive.web.session.closing import Closing, Story

EDGE = 48
FIRST, LAST = 150, 500  # where the rows begin and end
MOST_ROWS = 6
LINE_X = 560


def session_scene(title: str, facts: str, story: Story, totals: list[tuple[str, str]], t: Texts) -> scene.Scene:
    """Return the picture of a session: its ranking, or in a game of marks the `totals` of those who score together."""
    rows = [(f"{each.place}.", " / ".join(name for name, _ in each.people), each.total, each.line, each.zero, each.open)
        for each in story.ranking] or [("", names, total, "", 0.0, False) for names, total in totals]  # fmt: skip
    paths, labels = (
        [],
        [*scene.heading((title, facts, t["site"]), (scene.INK, scene.SOFT, scene.SOFT), (46, 72), (28, 114), EDGE)],
    )
    high = min(84.0 if story.ranking else 110.0, (LAST - FIRST) / max(1, min(len(rows), MOST_ROWS)))
    scale = min(2.2, (high - 12) / LINE_HEIGHT)
    for n, (place, names, total, line, zero, is_open) in enumerate(rows[:MOST_ROWS]):
        y = FIRST + n * high
        base, size = y + high * 0.66, min(48.0, high * 0.48)
        labels.append(scene.Label(text=place, x=EDGE, y=base, size=size, fill=scene.SOFT))
        room = (LINE_X if line else scene.WIDTH - 300) - EDGE - 90
        name, large = scene.fit_name(names, room, (size, 0.75 * size, 0.55 * size))
        labels.append(
            scene.Label(text=name, x=EDGE + 64 if place else EDGE, y=base, size=large, fill=scene.INK, bold=True)
        )
        amount = f"({total})" if is_open else total
        fill = scene.GOOD if total.startswith("+") else scene.INK
        labels.append(
            scene.Label(text=amount, x=scene.WIDTH - EDGE, y=base, size=size, fill=fill, anchor="end", bold=True)
        )
        if line:
            for d, stroke in ((f"M0 {zero}H{LINE_WIDTH}", scene.HAIR), (line, scene.SOFT)):
                paths.append(scene.Drawn(d=d, stroke=stroke, x=LINE_X, y=y + 6, scale=scale))
    text = " ".join(str(sentence) for sentence in story.sentences)
    for n, line in enumerate(scene.wrap_text(text, scene.WIDTH - 2 * EDGE, 28, 2)):
        labels.append(scene.Label(text=line, x=EDGE, y=556 + 38 * n, size=28, fill=scene.INK))
    return scene.Scene(scene.PAPER, tuple(paths), (), tuple(labels))


WIDE, HIGH = 1080, 1350
MARGIN = 56
HEADING = 180  # of the heading
MOST_RANKED = 7
COLOURS = ("#e6b54a", "#8fd3ff", "#ff9f8a", "#b5e48c", "#d9b8ff", "#ffd6e7", "#c9d6cf")  # a colour a player
COURSE_X, COURSE_SCALE = 470, 2.2
CARD_WIDE = 88
BROAD = WIDE - 2 * MARGIN


def closing_scene(closing: Closing, t: Texts) -> scene.Scene:
    """Return the picture of the end of a session."""
    paths = [scene.Drawn(d=f"M0 0H{WIDE}V{HEADING}H0z", fill=scene.SHADE)]
    words = closing.title, closing.facts, t["site"]
    labels = [
        *scene.heading(words, (scene.FELT_INK, scene.FELT_SOFT, scene.BRASS), (52, 88), (30, 142), MARGIN, WIDE, 28)
    ]
    cards: list[scene.CardAt] = []
    rows = closing.ranking[:MOST_RANKED]
    high = min(92.0, 440 / max(1, len(rows)))
    for n, each in enumerate(rows):
        y, colour = HEADING + 24 + n * high, COLOURS[n % len(COLOURS)]
        base, size = y + high * 0.62, min(46.0, high * 0.46)
        labels.append(scene.Label(text=f"{each.place}.", x=MARGIN, y=base, size=size, fill=scene.FELT_SOFT))
        names = " / ".join(name for name, _ in each.people)
        name, large = scene.fit_name(names, COURSE_X - MARGIN - 84, (size, 0.75 * size, 0.55 * size))
        labels.append(scene.Label(text=name, x=MARGIN + 64, y=base, size=large, fill=colour, bold=True))
        amount = f"({each.total})" if each.open else each.total
        labels.append(
            scene.Label(text=amount, x=WIDE - MARGIN, y=base, size=size, fill=scene.FELT_INK, anchor="end", bold=True)
        )
        scale = min(COURSE_SCALE, (high - 14) / LINE_HEIGHT)
        for d, stroke in ((f"M0 {each.zero}H{LINE_WIDTH}", scene.FELT_SOFT), (each.line, colour)):
            paths.append(scene.Drawn(d=d, stroke=stroke, x=COURSE_X, y=y + 4, scale=scale))
    y = HEADING + 24 + high * len(rows) + 52
    labels += _texts(closing, y, HIGH - (230 if closing.hand else 60), t)
    if closing.hand:
        top = HIGH - 48 - CARD_WIDE * 94 / 60
        name, codes = closing.hand
        cards = list(scene.fan(codes, MARGIN, top, CARD_WIDE, BROAD, 0))
        says = t["cl_hand"].format(name=name)
        labels.append(
            scene.Label(text=scene.fit_text(says, BROAD, 26), x=MARGIN, y=top - 14, size=26, fill=scene.FELT_SOFT)
        )
    return scene.Scene(scene.FELT, tuple(paths), tuple(cards), tuple(labels), WIDE, HIGH)


def _texts(closing: Closing, y: float, end: float, t: Texts) -> Iterator[scene.Label]:
    """Yield who pays whom, then the honours, as far as there is room."""
    parts = [(t["cl_who_pays"], " ".join(each.read_aloud for each in closing.payments))] if closing.payments else []
    parts += [(title, says.read_aloud) for title, says in closing.honours]
    for title, text in parts:
        lines = scene.wrap_text(text, BROAD, 30, 3)
        if y + 40 * len(lines) > end:
            return
        yield scene.Label(
            text=scene.fit_text(title, BROAD, 26, True), x=MARGIN, y=y, size=26, fill=scene.BRASS, bold=True
        )
        for n, line in enumerate(lines, 1):
            yield scene.Label(text=line, x=MARGIN, y=y + 40 * n, size=30, fill=scene.FELT_INK)
        y += 40 * len(lines) + 46
