"""The score sheet of a marks game as players keep it: a line, one side's strokes above it and the other's below."""

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.judge.types import Judgement
from archive.rules.tables import score_of
from archive.rules.types import Drawing, Score
from archive.settle.marks_ledger import PLAYERS, all_known, marks_after, winners_of_game
from archive.settle.types import Totals
from archive.text.numbers import with_sign
from archive.text.texts import TEXTS, page_text
from archive.text.wording import Texts

GROUP = 5  # strokes: four and one across
MOST = 50  # strokes drawn; no game goes that far, but a ruling may


class SheetSide(Struct, frozen=True):
    """The side above or below the line; the deal brought the `new` ones of its `marks`."""

    names: tuple[str, ...]
    initials: str
    marks: int | None
    new: int
    chalk: bool
    won: bool


class ChalkSheet(Struct, frozen=True):
    """The sheet of a game of at most `game` marks: its title, the sides above and below the line, or more than two
    players one below the other, a sentence, and how the marks are drawn if there is room for a picture."""

    title: str
    sides: tuple[SheetSide, ...]
    game: int
    text: str
    drawing: Drawing


def chalk_sheet(judgement: Judgement, t: Texts) -> ChalkSheet | None:
    """Return the sheet after a deal, with its new strokes marked; None if the table keeps no marks."""
    rule, settled = score_of(judgement.ruleset.house) if judgement.ruleset else None, judgement.settlement
    if rule is None:
        return None
    gained, chalk = (settled.marks, settled.chalk) if settled else (None, None)
    score = (marks_after(judgement.before, settled), gained, chalk)
    title = t["y_after"].format(game=rule.to) if rule.step > 0 else t["y_down_after"].format(game=rule.start)
    return draw_sheet(title, judgement.session.players, score, rule, t)


def draw_sheet(
    title: str, names: Sequence[str], score: tuple[Totals, Totals, int | None], rule: Score, t: Texts
) -> ChalkSheet | None:
    """Return a sheet of the running marks, those of the last deal, and a seat of the side with the chalk, which make up
    `score`; None if pairs play whose players are unknown."""
    marks, gained, chalk = score
    in_pairs = rule.of == "pair" and len(names) != 2
    if in_pairs and len(names) != PLAYERS:
        return None
    winners, short = winners_of_game(marks, rule), initials(names)
    sides = []
    for seats in ((0, 2), (1, 3)) if in_pairs else tuple((seat,) for seat in range(len(names))):
        own = marks[seats[0]] if marks and all_known(marks) else None
        sides.append(
            SheetSide(
                names=tuple(names[seat] for seat in seats),
                initials=" ".join(short[seat] for seat in seats),
                marks=own,
                new=(gained[seats[0]] or 0) if gained and own is not None else 0,
                chalk=chalk in seats,
                won=seats[0] in winners,
            )
        )
    return ChalkSheet(title, tuple(sides), max(rule.to, rule.start), sheet_sentence(sides, t, rule), rule.drawing)


def initials(names: Sequence[str]) -> tuple[str, ...]:
    """Return the fewest first letters that tell each name from the others."""
    return tuple(
        next((name[:n] for n in range(1, len(name)) if sum(other.startswith(name[:n]) for other in names) == 1), name)
        for name in names
    )


def sheet_sentence(sides: Sequence[SheetSide], t: Texts, rule: Score) -> str:
    """Return the sheet in words."""
    parts = []
    for side in sides:
        pair = len(side.names) > 1
        names = t["y_and"].format(one=side.names[0], other=side.names[1]) if pair else side.names[0]
        key = "y_unknown" if side.marks is None else "y_marks" if pair else "y_mark"
        if side.marks is not None and rule.step < 0:
            key = "y_left" if side.marks > rule.to else "y_out"
        text = t[key].format(names=names, marks=side.marks)
        parts.append(text + (t["y_chalk"] if side.chalk else "") + (t["y_won"] if side.won else ""))
    return "; ".join(parts)


class MarksGame(Struct):
    """A game under way, while the deals of a session are gone through."""

    first: int
    last: int
    names: tuple[str, ...]
    marks: Totals
    chalk: int | None
    score: Score


def session_sheets(deals: Sequence[dict[str, Any]], t: Texts) -> tuple[ChalkSheet, ...]:
    """Return the sheets of a session, one for each game: rows of deals with their `ledger`, the table `before`, and how
    their `score` is kept."""
    games: list[MarksGame] = []
    for deal in deals:
        rows, number = deal["ledger"], deal["number"]
        if not deal["score"] or not rows:
            continue
        names, marks = tuple(row["player"] for row in rows), tuple(row["marks_total"] for row in rows)
        chalk = rows[0]["chalk_after"]
        now = MarksGame(number, number, names, marks, chalk and chalk - 1, deal["score"])
        if games and (deal["before"].game_deals != 0 or games[-1].marks == (deal["score"].start,) * len(rows)):
            games[-1] = replace(now, first=games[-1].first)
        else:
            games.append(now)
    sheets = (
        draw_sheet(_game_title(n, game, t), game.names, (game.marks, None, game.chalk), game.score, t)
        for n, game in enumerate(games, 1)
    )
    return tuple(filter(None, sheets))


def _game_title(number: int, game: MarksGame, t: Texts) -> str:
    one, several, game_to = "y_game_one", "y_game", game.score.to
    if game.score.step < 0:
        one, several, game_to = "y_game_one_down", "y_game_down", game.score.start
    key = one if game.first == game.last else several
    return t[key].format(number=number, first=game.first, last=game.last, game=game_to)


Loud = Callable[[str], str]


def chalk_lines(judgement: Judgement, width: int, loud: Loud = str, language: str = "en") -> str:
    """Return the score sheet of a marks game after the deal: a line, one side's strokes above it, the other's below,
    the deal's own loud; empty if the table keeps no marks."""
    sheet, chalk = chalk_sheet(judgement, TEXTS[language]), page_text("chalk", language)
    if sheet is None:
        return ""
    size = max(len(side.initials) for side in sheet.sides)
    drawn = [_strokes(side, size, chalk, loud) for side in sheet.sides]
    rule = "─" * min(width, max(len(_strokes(side, size, chalk, str)) for side in sheet.sides))
    rows = (drawn[0], rule, drawn[1]) if len(drawn) == 2 else tuple(drawn)
    return "\n".join((sheet.title, *rows, *fill(f"{sheet.text}.", width).splitlines()))


def _strokes(side: SheetSide, size: int, chalk: str, loud: Loud) -> str:
    """Return a side's initials, the word `chalk` if it has it, its strokes in groups of five, and their sum."""
    have, drawn = side.marks or 0, min(side.marks or 0, MOST)
    strokes = ["|" if n < have - side.new else loud("|") for n in range(drawn)]
    groups = " ".join("".join(strokes[n : n + GROUP]) for n in range(0, drawn, GROUP))
    total = "?" if side.marks is None else f"{have}{f' ({with_sign(side.new)})' if side.new else ''}"
    groups = groups or "o" * -have
    return f"{side.initials:{size}} {chalk if side.chalk else ' ' * len(chalk)}  {groups}  {total}"
