"""The score sheet of a marks game as players keep it: a line, one side's strokes above it and the other's below."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from archive.audit.types import Judgement
from archive.settle.score import PLAYERS, known, marks_after, won_by
from archive.settle.types import Totals
from archive.text.wording import Texts

GROUP = 5  # strokes: four and one across
MOST = 50  # strokes that are drawn; no game goes so far, but a ruling may
PITCH, GAP = 9, 16  # between strokes, and between groups
LETTER, CHALK, SUM = 11, 38, 40  # room for a letter of the initials, for the chalk, for the sum
TOP, BOTTOM = 8, 36  # of a stroke


class SheetSide(Struct, frozen=True):
    """What stands above or below the line."""

    names: tuple[str, ...]
    initials: str
    marks: int | None
    new: int  # of them, what the deal brought
    chalk: bool
    won: bool
    old_path: str  # the strokes, as drawn
    new_path: str


class ChalkSheet(Struct, frozen=True):
    title: str
    sides: tuple[SheetSide, SheetSide]  # above, below
    left: int  # where the strokes begin
    width: int
    text: str


def chalk_sheet(found: Judgement, t: Texts) -> ChalkSheet | None:
    """The sheet after a deal, with its strokes told from those before; None where no marks are kept."""
    rule, settled = found.ruleset.house.marks if found.ruleset else None, found.settlement
    if rule is None:
        return None
    gained = settled.marks if settled else None
    chalk = settled.chalk if settled else None
    title = t["y_after"].format(game=rule.game)
    return draw_sheet(title, found.session.players, (marks_after(found.before, settled), gained, chalk), rule.game, t)


def draw_sheet(
    title: str, names: Sequence[str], score: tuple[Totals, Totals, int | None], game: int, t: Texts
) -> ChalkSheet | None:
    """A sheet with the running marks, those of the last deal, and a seat of the side with the chalk. Two pairs only
    have one."""
    marks, gained, chalk = score
    if len(names) != PLAYERS:
        return None
    winners = won_by(marks, game)
    short = initials(names)
    sides = []
    for seats in ((0, 2), (1, 3)):
        own = marks[seats[0]] if marks and known(marks) else None
        new = (gained[seats[0]] or 0) if gained and own is not None else 0
        sides.append(
            SheetSide(
                names=tuple(names[seat] for seat in seats),
                initials=" ".join(short[seat] for seat in seats),
                marks=own,
                new=new,
                chalk=chalk in seats,
                won=seats[0] in winners,
                old_path=stroke_path(0, (own or 0) - new),
                new_path=stroke_path((own or 0) - new, own or 0),
            )
        )
    most = min(MOST, max(game, *(side.marks or 0 for side in sides)))
    left = CHALK + LETTER * max(len(side.initials) for side in sides)
    width = left + -(-most // GROUP) * (GROUP * PITCH + GAP) + SUM
    return ChalkSheet(title, (sides[0], sides[1]), left, width, sheet_sentence(sides, t))


def initials(names: Sequence[str]) -> tuple[str, ...]:
    """As few letters of each name as tell it from the others."""
    return tuple(
        next((name[:n] for n in range(1, len(name)) if sum(each.startswith(name[:n]) for each in names) == 1), name)
        for name in names
    )


def stroke_path(first: int, last: int) -> str:
    """The path of the strokes after `first` up to `last`: every fifth lies across its group."""
    found = []
    for n in range(max(0, first), min(last, MOST)):
        x = n // GROUP * (GROUP * PITCH + GAP) + n % GROUP * PITCH
        across = f"M{x - GROUP * PITCH + PITCH // 2} {BOTTOM - 5}L{x - PITCH // 2} {TOP + 5}"
        found.append(across if n % GROUP == GROUP - 1 else f"M{x} {TOP}V{BOTTOM}")
    return "".join(found)


def sheet_sentence(sides: Sequence[SheetSide], t: Texts) -> str:
    """The sheet in words."""
    parts = []
    for side in sides:
        key = "y_unknown" if side.marks is None else "y_one" if side.marks == 1 else "y_marks"
        text = t[key].format(names=_both(side, t), marks=side.marks)
        parts.append(text + (t["y_chalk"] if side.chalk else "") + (t["y_won"] if side.won else ""))
    return "; ".join(parts)


def _both(side: SheetSide, t: Texts) -> str:
    return t["y_and"].format(one=side.names[0], other=side.names[1])


class MarksGame(Struct):
    """A game under way, while the deals of a session are gone through."""

    first: int
    last: int
    names: tuple[str, ...]
    marks: Totals
    chalk: int | None
    game: int


def session_sheets(deals: Sequence[dict[str, Any]], t: Texts) -> tuple[ChalkSheet, ...]:
    """The sheets of a session, one a game: rows of deals with their `ledger`, the table `before`, and the marks that
    win a `game`."""
    games: list[MarksGame] = []
    for deal in deals:
        rows, before = deal["ledger"], deal["before"]
        if not deal["game"] or not rows:
            continue
        marks = tuple(row["marks_total"] for row in rows)
        chalk = rows[0]["chalk_after"]
        now = MarksGame(
            deal["number"],
            deal["number"],
            tuple(row["player"] for row in rows),
            marks,
            chalk and chalk - 1,
            deal["game"],
        )
        begins = not games or (before.game_deals == 0 and games[-1].marks != (0,) * len(rows))
        games = [*games, now] if begins else [*games[:-1], _with(games[-1], now)]
    return tuple(
        sheet
        for n, each in enumerate(games, 1)
        if (
            sheet := draw_sheet(
                t["y_game_one" if each.first == each.last else "y_game"].format(
                    number=n, first=each.first, last=each.last, game=each.game
                ),
                each.names,
                (each.marks, None, each.chalk),
                each.game,
                t,
            )
        )
    )


def _with(before: MarksGame, now: MarksGame) -> MarksGame:
    return MarksGame(before.first, now.last, now.names, now.marks, now.chalk, now.game)
