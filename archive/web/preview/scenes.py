"""Pictures. A deal at its end: every hand as it was dealt, the two heaps, what each player is paid; without cards each
player's payment and total; if the hands are hidden, the hand of one seat and nothing of how the deal goes. An evening:
the ranking, the course of each total as a line, and the story in sentences; and its end, for a group, as high as a
screen that is held upright."""

from collections.abc import Iterator

from archive.text.wording import Texts
from archive.web.deal.model import DealPage, HandCard, Seat, SeatAmount
from archive.web.deal.receipt import DealReceipt, ReceiptRow
from archive.web.deal.timeline import are_two_sides
from archive.web.drawing_library import text_width
from archive.web.preview import scene
from archive.web.session.closing import HEIGHT as LINE_HEIGHT
from archive.web.session.closing import WIDTH as LINE_WIDTH
from archive.web.session.closing import Closing, Story

# --- a deal at its end ------------------------------------------------------------------------------------------------

EDGE, TOP = 36, 96
# The seats: x, the line of the name, the part of it that lies left of x.
PLACES = {
    "n": (600, 128, 0.5), "s": (600, 494, 0.5), "w": (EDGE, 316, 0.0), "e": (scene.WIDTH - EDGE, 316, 1.0),
    "w2": (EDGE, 148, 0.0), "e2": (scene.WIDTH - EDGE, 148, 1.0),
}  # fmt: skip
LOWER = {"w": 400, "e": 400}  # the line of the name if another sits above
ANCHORS = {0.0: "start", 0.5: "middle", 1.0: "end"}
WIDE = 52  # of a card
TALL = WIDE * scene.CARD
ROOM, BROAD_ROOM = 330, 600  # for a hand and a name, and for a name that nobody sits beside
MIDDLE, LINE, SIZE = 530, 30, 24  # of the sentences in the middle: width, height, letters
NAME_SIZES = (30, 26, 22)
HEAP = "M0 26h34a3 3 0 0 1 3 3v16a3 3 0 0 1-3 3h-34a3 3 0 0 1-3-3v-16a3 3 0 0 1 3-3z"
TIGHT = str.maketrans({" ": "\u00a0"})  # for a score, which stands on one line


def deal_scene(page: DealPage, t: Texts, hidden: bool = False, own: int | None = None) -> scene.Scene:
    """Return the picture of a deal; with `hidden` hands only that of the seat `own` is open."""
    cards: list[scene.CardAt] = []
    labels = [
        *scene.heading(
            scene.heading_words(page.heading, t),
            (scene.FELT_INK, scene.FELT_SOFT, scene.BRASS),
            (38, 46),
            (25, 80),
            EDGE,
        )
    ]
    paths = [scene.Drawn(d=f"M0 0H{scene.WIDTH}V{TOP}H0z", fill=scene.SHADE)]
    between = bool({"w2", "e2"} & set(page.table.around))
    for place, seat in zip(page.table.around, page.table.seats, strict=False):
        x, y, before = PLACES[place]
        y = LOWER.get(place, y) if between else y
        codes = [card.code for card in seat.cards if not card.since]
        if hidden:
            codes = [code_seen(card, seat.seat == own) for card in seat.cards if not card.since]
        cards += scene.fan(["face" if "?" in code else code for code in codes], x, y + 10, WIDE, ROOM, before)
        labels.append(_name(seat, x, y, before, hidden))
        if page.table.amounts and not hidden:
            labels += _amount(page.table.amounts[seat.seat], x, y + (TALL + 42 if codes else 40), before)
    if not hidden:
        paths += _heaps(page)
        labels += _middle(page)
    return scene.Scene(scene.FELT, tuple(paths), tuple(cards), tuple(labels))


def code_seen(card: HandCard, own: bool) -> str:
    """Return the face of a card when play begins: all see what lies on the table, or nobody does."""
    is_open = own if card.opened is None else card.opened == "start"
    return card.code if is_open else "back"


def _name(seat: Seat, x: float, y: float, before: float, hidden: bool) -> scene.Label:
    text, size = scene.fit_name(seat.name, BROAD_ROOM if before == 0.5 else ROOM, NAME_SIZES)
    fill = scene.BRASS if seat.side == "us" and not hidden else scene.FELT_INK
    return scene.Label(text=text, x=x, y=y, size=size, fill=fill, anchor=ANCHORS[before], bold=True)


def _amount(of: SeatAmount, x: float, y: float, before: float) -> Iterator[scene.Label]:
    """Yield the amount of a seat, after the one that was written if that is another."""
    right, old, size = of.ruled or of.computed or of.stated or "–", of.stated if of.differs else "", 32
    gap, first = 14 if old else 0, text_width(old, size)
    left = x - before * (first + gap + text_width(right, size, True))
    if old:
        yield scene.Label(text=old, x=left, y=y, size=size, fill=scene.FELT_SOFT, struck=True)
    if before == 1:
        yield scene.Label(text=right, x=x, y=y, size=size, fill=scene.FELT_INK, bold=True, anchor="end")
    else:
        yield scene.Label(text=right, x=left + first + gap, y=y, size=size, fill=scene.FELT_INK, bold=True)


def _heaps(page: DealPage) -> Iterator[scene.Drawn]:
    if not are_two_sides(page.table.groups):
        return
    for group, x in zip(page.table.groups, (446, 714), strict=True):
        for n in range(min(group.tricks or 0, 12)):
            fill = scene.BRASS if group.side == "us" else scene.FELT_SOFT
            yield scene.Drawn(d=HEAP, fill=fill, stroke=scene.FELT, x=x + n * 2, y=280 - n * 4)


def _middle(page: DealPage) -> Iterator[scene.Label]:
    y = 356
    if are_two_sides(page.table.groups):
        us, them = page.table.groups
        text = f"{us.points} : {them.points}"
        yield scene.Label(text=text, x=600, y=322, size=56, fill=scene.FELT_INK, anchor="middle", bold=True)
        y = 364
    result = (page.heading.result or page.heading.reason.read_aloud).replace(" : ", " : ".translate(TIGHT))
    why = page.evidence.dispute.why.says.read_aloud if page.evidence.dispute else ""
    rows = [(line, scene.FELT_INK) for line in scene.wrap_text(result, MIDDLE, SIZE, 2)]
    rows += [(line, scene.BRASS) for line in scene.wrap_text(why, MIDDLE, SIZE, 4 - len(rows))]
    for n, (line, fill) in enumerate(rows):
        yield scene.Label(text=line, x=600, y=y + LINE * n, size=SIZE, fill=fill, anchor="middle")


# --- a deal without cards ---------------------------------------------------------------------------------------------

EDGE_OF_PAPER = 48
FIRST_ROW, LAST_ROW, TALLEST_ROW = 236, 606, 88  # where the rows begin and end, and the height of one
PAID, TOTAL = 860, scene.WIDTH - EDGE_OF_PAPER  # where the columns of amounts end


def receipt_scene(page: DealReceipt, t: Texts, hidden: bool) -> scene.Scene:
    """Return the picture of a deal; `hidden`: without its end."""
    labels = [
        *scene.heading(
            scene.heading_words(page.heading, t),
            (scene.INK, scene.SOFT, scene.SOFT),
            (44, 70),
            (28, 110),
            EDGE_OF_PAPER,
        )
    ]
    high = min(float(TALLEST_ROW), (LAST_ROW - FIRST_ROW) / len(page.players))
    rules = (f"M{EDGE_OF_PAPER} {FIRST_ROW + n * high}H{TOTAL}" for n in range(len(page.players)))
    if not hidden:
        said = page.heading.result or page.heading.reason.read_aloud
        for n, line in enumerate(scene.wrap_text(said, scene.WIDTH - 2 * EDGE_OF_PAPER, 32, 2)):
            labels.append(scene.Label(text=line, x=EDGE_OF_PAPER, y=162 + 40 * n, size=32, fill=scene.INK))
    for n, row in enumerate(page.players):
        labels += _row(row, FIRST_ROW + n * high + high * 0.66, min(40.0, high * 0.5), hidden, t)
    return scene.Scene(scene.PAPER, tuple(scene.Drawn(d=each, stroke=scene.HAIR) for each in rules), (), tuple(labels))


def _row(row: ReceiptRow, y: float, size: float, hidden: bool, t: Texts) -> Iterator[scene.Label]:
    """Yield a player: name and role, the amount after the one that was written if that is another, the total then."""
    role_room = text_width(row.role, 0.6 * size) + 16 if row.role else 0
    name, large = scene.fit_name(row.name, PAID - 240 - EDGE_OF_PAPER - role_room, (size, 0.75 * size, 0.55 * size))
    yield scene.Label(text=name, x=EDGE_OF_PAPER, y=y, size=large, fill=scene.INK, bold=True)
    if row.role and not (hidden and row.role == t["loses"]):
        x = EDGE_OF_PAPER + text_width(name, large, True) + 14
        yield scene.Label(text=row.role, x=x, y=y, size=0.6 * size, fill=scene.SOFT)
    if hidden or row.amount is None:
        return
    right = row.amount.ruled or row.amount.computed or row.amount.stated or "–"
    fill = scene.GOOD if right.startswith("+") else scene.INK
    yield scene.Label(text=right, x=PAID, y=y, size=size, fill=fill, anchor="end", bold=True)
    if row.amount.differs:
        x = PAID - text_width(right, size, True) - 18
        yield scene.Label(
            text=row.amount.stated, x=x, y=y, size=0.75 * size, fill=scene.SOFT, anchor="end", struck=True
        )
    if row.after:
        yield scene.Label(text=f"→ {row.after}", x=TOTAL, y=y, size=0.75 * size, fill=scene.SOFT, anchor="end")


# --- an evening -------------------------------------------------------------------------------------------------------

FIRST_RANKED, LAST_RANKED = 150, 500  # where the rows begin and end
MOST_OF_LINK = 6
LINE_AT = 560


def session_scene(title: str, facts: str, story: Story, totals: list[tuple[str, str]], t: Texts) -> scene.Scene:
    """Return the picture of a session: its ranking, or in a game of marks the `totals` of those who score together."""
    rows = [(f"{each.place}.", " / ".join(name for name, _ in each.people), each.total, each.line, each.zero, each.open)
        for each in story.ranking] or [("", names, total, "", 0.0, False) for names, total in totals]  # fmt: skip
    words, inks = (title, facts, t["site"]), (scene.INK, scene.SOFT, scene.SOFT)
    paths, labels = [], [*scene.heading(words, inks, (46, 72), (28, 114), EDGE_OF_PAPER)]
    high = min(84.0 if story.ranking else 110.0, (LAST_RANKED - FIRST_RANKED) / max(1, min(len(rows), MOST_OF_LINK)))
    scale = min(2.2, (high - 12) / LINE_HEIGHT)
    for n, (place, names, total, line, zero, is_open) in enumerate(rows[:MOST_OF_LINK]):
        y = FIRST_RANKED + n * high
        base, size = y + high * 0.66, min(48.0, high * 0.48)
        labels.append(scene.Label(text=place, x=EDGE_OF_PAPER, y=base, size=size, fill=scene.SOFT))
        room = (LINE_AT if line else scene.WIDTH - 300) - EDGE_OF_PAPER - 90
        name, large = scene.fit_name(names, room, (size, 0.75 * size, 0.55 * size))
        labels.append(
            scene.Label(
                text=name,
                x=EDGE_OF_PAPER + 64 if place else EDGE_OF_PAPER,
                y=base,
                size=large,
                fill=scene.INK,
                bold=True,
            )
        )
        amount = f"({total})" if is_open else total
        fill = scene.GOOD if total.startswith("+") else scene.INK
        labels.append(
            scene.Label(
                text=amount, x=scene.WIDTH - EDGE_OF_PAPER, y=base, size=size, fill=fill, anchor="end", bold=True
            )
        )
        if line:
            for d, stroke in ((f"M0 {zero}H{LINE_WIDTH}", scene.HAIR), (line, scene.SOFT)):
                paths.append(scene.Drawn(d=d, stroke=stroke, x=LINE_AT, y=y + 6, scale=scale))
    text = " ".join(str(sentence) for sentence in story.sentences)
    for n, line in enumerate(scene.wrap_text(text, scene.WIDTH - 2 * EDGE_OF_PAPER, 28, 2)):
        labels.append(scene.Label(text=line, x=EDGE_OF_PAPER, y=556 + 38 * n, size=28, fill=scene.INK))
    return scene.Scene(scene.PAPER, tuple(paths), (), tuple(labels))


# --- the end of an evening, for a group -------------------------------------------------------------------------------

PORTRAIT, TALL_PORTRAIT = 1080, 1350
MARGIN = 56
HEADING = 180  # its height
MOST_RANKED = 7
COLOURS = ("#e6b54a", "#8fd3ff", "#ff9f8a", "#b5e48c", "#d9b8ff", "#ffd6e7", "#c9d6cf")  # a colour a player
COURSE_X, COURSE_SCALE = 470, 2.2
CARD_WIDE = 88
BROAD = PORTRAIT - 2 * MARGIN


def closing_scene(closing: Closing, t: Texts) -> scene.Scene:
    """Return the picture of the end of a session."""
    paths = [scene.Drawn(d=f"M0 0H{PORTRAIT}V{HEADING}H0z", fill=scene.SHADE)]
    words = closing.title, closing.facts, t["site"]
    labels = [
        *scene.heading(words, (scene.FELT_INK, scene.FELT_SOFT, scene.BRASS), (52, 88), (30, 142), MARGIN, PORTRAIT, 28)
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
            scene.Label(
                text=amount, x=PORTRAIT - MARGIN, y=base, size=size, fill=scene.FELT_INK, anchor="end", bold=True
            )
        )
        scale = min(COURSE_SCALE, (high - 14) / LINE_HEIGHT)
        for d, stroke in ((f"M0 {each.zero}H{LINE_WIDTH}", scene.FELT_SOFT), (each.line, colour)):
            paths.append(scene.Drawn(d=d, stroke=stroke, x=COURSE_X, y=y + 4, scale=scale))
    y = HEADING + 24 + high * len(rows) + 52
    labels += _texts(closing, y, TALL_PORTRAIT - (230 if closing.hand else 60), t)
    if closing.hand:
        top = TALL_PORTRAIT - 48 - CARD_WIDE * 94 / 60
        name, codes = closing.hand
        cards = list(scene.fan(codes, MARGIN, top, CARD_WIDE, BROAD, 0))
        says = t["cl_hand"].format(name=name)
        labels.append(
            scene.Label(text=scene.fit_text(says, BROAD, 26), x=MARGIN, y=top - 14, size=26, fill=scene.FELT_SOFT)
        )
    return scene.Scene(scene.FELT, tuple(paths), tuple(cards), tuple(labels), PORTRAIT, TALL_PORTRAIT)


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
