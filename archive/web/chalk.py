"""The chalk strokes of a marks game as SVG paths, and the room that they take in pixels."""

from msgspec import Struct

from archive.text.chalk import GROUP, MOST, ChalkSheet

PITCH, GAP = 9, 16  # between strokes, and between groups
LETTER, CHALK, SUM = 11, 38, 40  # room for a letter of the initials, for the chalk, for the sum
TOP, BOTTOM = 8, 36  # of a stroke


class ChalkDrawing(Struct, frozen=True):
    """A drawn sheet: where its strokes begin, its width, and for each side the paths of the old and the new strokes."""

    left: int
    width: int
    paths: tuple[tuple[str, str], ...]


def chalk_drawing(sheet: ChalkSheet) -> ChalkDrawing:
    """The drawing of a score sheet, both sides at the same scale."""
    most = min(MOST, max(sheet.game, *(side.marks or 0 for side in sheet.sides)))
    left = CHALK + LETTER * max(len(side.initials) for side in sheet.sides)
    paths = []
    for side in sheet.sides:
        marks = side.marks or 0
        before = marks - side.new
        old = stroke_path(0, min(before, marks)) + sack_path(0, -max(before, marks))
        paths.append((old, stroke_path(before, marks) + sack_path(-before, -marks)))
    return ChalkDrawing(left, left + -(-most // GROUP) * (GROUP * PITCH + GAP) + SUM, tuple(paths))


def sack_path(first: int, last: int) -> str:
    """The path of the rings after `first` up to `last`, one for each stroke under none."""
    middle = (TOP + BOTTOM) // 2
    return "".join(
        f"M{n * 2 * PITCH} {middle}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0" for n in range(max(0, first), min(last, MOST))
    )


def stroke_path(first: int, last: int) -> str:
    """The path of the strokes after `first` up to `last`: every fifth lies across its group."""
    path = []
    for n in range(max(0, first), min(last, MOST)):
        x = n // GROUP * (GROUP * PITCH + GAP) + n % GROUP * PITCH
        across = f"M{x - GROUP * PITCH + PITCH // 2} {BOTTOM - 5}L{x - PITCH // 2} {TOP + 5}"
        path.append(across if n % GROUP == GROUP - 1 else f"M{x} {TOP}V{BOTTOM}")
    return "".join(path)
