"""A deal without cards as a picture: the result in a sentence, each player's payment and total after it."""

from collections.abc import Iterator

from archive.text.wording import Texts
from archive.web.deal.receipt import DealReceipt, ReceiptRow
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
    heading_words,
    wrap_text,
)
from archive.web.text_width import text_width

EDGE = 48
FIRST, LAST, TALLEST = 236, 606, 88  # where the rows begin and end, and the height of one
PAID, TOTAL = 860, WIDTH - EDGE  # where the columns of amounts end


def receipt_scene(page: DealReceipt, t: Texts, hidden: bool = False) -> Scene:
    """Return the picture of a deal; `hidden`: without its end."""
    labels = [*heading(heading_words(page.heading, t), (INK, SOFT, SOFT), (44, 70), (28, 110), EDGE)]
    high = min(float(TALLEST), (LAST - FIRST) / len(page.players))
    rules = (f"M{EDGE} {FIRST + n * high}H{TOTAL}" for n in range(len(page.players)))
    if not hidden:
        said = page.heading.result or page.heading.reason.read_aloud
        for n, line in enumerate(wrap_text(said, WIDTH - 2 * EDGE, 32, 2)):
            labels.append(Label(text=line, x=EDGE, y=162 + 40 * n, size=32, fill=INK))
    for n, row in enumerate(page.players):
        labels += _row(row, FIRST + n * high + high * 0.66, min(40.0, high * 0.5), hidden, t)
    return Scene(PAPER, tuple(Drawn(d=each, stroke=HAIR) for each in rules), (), tuple(labels))


def _row(row: ReceiptRow, y: float, size: float, hidden: bool, t: Texts) -> Iterator[Label]:
    """Yield a player: name and role, the amount after the one that was written if that is another, the total then."""
    role_room = text_width(row.role, 0.6 * size) + 16 if row.role else 0
    name, large = fit_name(row.name, PAID - 240 - EDGE - role_room, (size, 0.75 * size, 0.55 * size))
    yield Label(text=name, x=EDGE, y=y, size=large, fill=INK, bold=True)
    if row.role and not (hidden and row.role == t["loses"]):
        x = EDGE + text_width(name, large, True) + 14
        yield Label(text=row.role, x=x, y=y, size=0.6 * size, fill=SOFT)
    if hidden or row.amount is None:
        return
    right = row.amount.ruled or row.amount.computed or row.amount.stated or "–"
    fill = GOOD if right.startswith("+") else INK
    yield Label(text=right, x=PAID, y=y, size=size, fill=fill, anchor="end", bold=True)
    if row.amount.differs:
        x = PAID - text_width(right, size, True) - 18
        yield Label(text=row.amount.stated, x=x, y=y, size=0.75 * size, fill=SOFT, anchor="end", struck=True)
    if row.after:
        yield Label(text=f"→ {row.after}", x=TOTAL, y=y, size=0.75 * size, fill=SOFT, anchor="end")
