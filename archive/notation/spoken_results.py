"""How a deal ended, in a line of words: won or lost, Schneider, Schwarz, knocks, virgins."""

from archive.notation import game_words
from archive.notation.problem import Problem
from archive.notation.spoken_facts import state, state_nothing
from archive.notation.spoken_line import KEY, Line, kind_at, number_at
from archive.notation.spoken_people import BLANK, ends_at

RESULT_LETTERS = {"g": True, "v": False}
SINGULAR = ("jungfrau", "virgin")


def read_result(line: Line) -> bool:
    """Read how it ended: won or lost, Schneider, Schwarz, knocks."""
    no = kind_at(line, line.place) == "no"
    kind = kind_at(line, line.place + no)
    if no and state_nothing(line, kind):
        line.place += 2
        return True
    if kind in ("won", "lost"):
        state(line, "won", (kind == "won") != no)
    elif kind == "schneider" and kind_at(line, line.place + 1) == "free":
        state(line, kind, False)
        line.place += 1
    elif kind in ("schneider", "schwarz"):
        state(line, kind, True)
    elif kind == "no-schneider":
        state(line, "schneider", False)
    elif kind == "out":
        behind = line.place + 1
        behind += behind < len(line.words) and line.words[behind] in game_words.FILLERS
        if kind_at(line, behind) != "schneider":
            return False
        state(line, "schneider", False)
        line.place = behind
    elif kind == "runners" and not no and (counted := count_behind(line)):
        state(line, "runners", counted[0])
        line.place = counted[1]
    elif kind == "knocks":
        count = number_at(line, line.place + 1)
        line.knock_count = max(1, count or line.knock_count or 0)
        line.role = "knocks"
        line.place += count is not None
    elif kind == "virgins" and not no:
        line.role = "virgins"
        line.one_virgin = line.words[line.place] in SINGULAR
    else:
        return False
    line.place += 1 + no
    return True


def count_behind(line: Line) -> tuple[int, int] | None:
    """Return the number behind the word reached, perhaps after a colon, and its place: `Laufende: 3`; None if there is
    none, or if it may count what comes after it."""
    at = line.place + 1 + (line.words[line.place + 1 : line.place + 2] == [":"])
    number = number_at(line, at)
    ends = ends_at(line, at + 1) or kind_at(line, at + 1) in ("won", "lost", "schneider", "schwarz")
    return (number, at) if number is not None and ends else None


def read_letter(line: Line) -> bool:
    """Read `g` and `v` behind a game, for won and lost; `g` only behind a suit, since it may be Gras."""
    word, behind = line.words[line.place], (*line.words, "", "")[line.place + 1]
    if word not in RESULT_LETTERS or not line.game or (behind and behind not in BLANK):
        return False
    if word == "g" and not names_suit(line):
        return False
    state(line, "won", RESULT_LETTERS[word])
    line.place += 1
    return True


def names_suit(line: Line) -> bool:
    """Return whether the suit of the game is named already."""
    try:
        return game_words.read_game(KEY, " ".join(line.game), None, "german", line.of).suit is not None
    except Problem:
        return any(word in line.of.words.suits for word in line.game)
