"""The chalk strokes of a marks game, or the sheep's head that they make, as SVG paths, and the room that they take in
pixels."""

from typing import Any

from archive.text.chalk import GROUP, MOST, ChalkSheet

PITCH, GAP = 9, 16  # between strokes, and between groups
LETTER, CHALK, SUM = 11, 38, 40  # room for a letter of the initials, for the chalk, for the sum
TOP, BOTTOM = 8, 36  # of a stroke
ROW, HEAD_ROW, HEAD = 48, 104, 92  # the height of a side with strokes, with a head; the width of the head

# The sheep's head, a line a mark in the order in which they are drawn: face, ears, eyes, nose, mouth, curls.
SHEEP_HEAD = (
    "M30 36C29 54 34 70 40 80",
    "M62 36C63 54 58 70 52 80",
    "M40 80Q46 88 52 80",
    "M30 36C22 31 12 33 5 42",
    "M5 42C14 49 23 48 30 44",
    "M62 36C70 31 80 33 87 42",
    "M87 42C78 49 69 48 62 44",
    "M36 48a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
    "M50 48a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
    "M41 70L46 74",
    "M51 70L46 74",
    "M42 79Q46 82 50 79",
    "M30 36C20 30 22 16 34 18",
    "M34 18C36 6 56 6 58 18",
    "M58 18C70 16 72 30 62 36",
)


def chalk_drawing(sheet: ChalkSheet) -> dict[str, Any]:
    """Return the drawing of a score sheet, both sides at the same scale: where its strokes begin (`left`), its width,
    the height of a side (`row`), and for each side the paths of the old and the new strokes."""
    most = min(MOST, max(sheet.game, *(side.marks or 0 for side in sheet.sides)))
    head = sheet.drawing == "sheep-head"
    draw = head_path if head else stroke_path
    left = CHALK + LETTER * max(len(side.initials) for side in sheet.sides)
    paths = []
    for side in sheet.sides:
        marks = side.marks or 0
        before = marks - side.new
        old = draw(0, min(before, marks)) + sack_path(0, -max(before, marks))
        paths.append((old, draw(before, marks) + sack_path(-before, -marks)))
    room = HEAD if head else -(-most // GROUP) * (GROUP * PITCH + GAP)
    return {"left": left, "width": left + room + SUM, "row": HEAD_ROW if head else ROW, "paths": paths}


def head_path(first: int, last: int) -> str:
    """Return the path of the lines of the sheep's head after `first` up to `last`; marks beyond the whole head have
    none."""
    return "".join(SHEEP_HEAD[max(0, first) : max(0, last)])


def sack_path(first: int, last: int) -> str:
    """Return the path of the rings after `first` up to `last`, one for each stroke under none."""
    middle = (TOP + BOTTOM) // 2
    return "".join(
        f"M{n * 2 * PITCH} {middle}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0" for n in range(max(0, first), min(last, MOST))
    )


def stroke_path(first: int, last: int) -> str:
    """Return the path of the strokes after `first` up to `last`: every fifth lies across its group."""
    path = []
    for n in range(max(0, first), min(last, MOST)):
        x = n // GROUP * (GROUP * PITCH + GAP) + n % GROUP * PITCH
        across = f"M{x - GROUP * PITCH + PITCH // 2} {BOTTOM - 5}L{x - PITCH // 2} {TOP + 5}"
        path.append(across if n % GROUP == GROUP - 1 else f"M{x} {TOP}V{BOTTOM}")
    return "".join(path)
