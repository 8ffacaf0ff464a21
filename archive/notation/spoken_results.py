"""The game of a line of words and how it ended: calls, rounds, won or lost, Schneider, Schwarz, knocks, virgins."""

from collections.abc import Sequence
from itertools import takewhile

from archive.cards import read_card
from archive.notation import game_words
from archive.notation.problem import Problem, refuse_entry
from archive.notation.spoken_facts import HALF, state, state_nothing
from archive.notation.spoken_line import ARTICLES, KEY, Line, is_game_word, kind_at, name_at, number_at
from archive.notation.spoken_people import ALL, BLANK, doubling_at, names_no_declarer
from archive.record import Game
from archive.say import Message, message

RESULT_LETTERS = {"g": True, "v": False}
COUNTED = ("runners", "points", "knocks", "virgins", "price", "euros")  # behind a number, which counts them
CALLED_LATE = ("Z", "K")  # 001 Muss-Spiel, 004 Calling an Ace
LONGEST_PHRASE = 4  # words
SINGULAR = ("jungfrau", "virgin")
LOSING = ("schneider", "schwarz")
BEING = ("im", "is", "ist", "war", "was")  # before these; `Gegner haben Schneider` may say that they won so
FROM_NOW = ("jetzt", "danach", "dann", "anschließend", "anschliessend", "then")


def read_bid(line: Line) -> bool:
    """Read a bid, before its number or behind it: `Gebot 70`, `gereizt bis 70`, `bis 70 gereizt`."""
    before = kind_at(line, line.place) == "bid"
    at = line.place + before
    at += line.words[at : at + 1] in ([":"], ["bis"], ["auf"], ["von"], ["of"], ["to"])
    number = number_at(line, at)
    if number is None or not (before or kind_at(line, at + 1) == "bid"):
        return False
    state(line, "bid", number)
    line.place = at + (1 if before else 2)
    return True


def read_result(line: Line) -> bool:
    """Read how it ended: won or lost, Schneider, Schwarz, knocks."""
    no = kind_at(line, line.place) == "no"
    kind = kind_at(line, line.place + no)
    if no and state_nothing(line, kind):
        line.place += 2
        return True
    if kind == "schwarz" and line.game[-1:] == ["jacks"] == line.words[line.place - 1 : line.place]:
        line.game.append("tout")  # 003 1.3: also called Jacks Schwarz
    elif kind in ("won", "lost"):
        refuse_result_of_others(line)
        state(line, "won", (kind == "won") != no)
        line.role = None if line.role == "double" else line.role  # `Kontra verloren: Sepp Wenz`
    elif kind == "schneider" and kind_at(line, line.place + 1) == "free":
        state(line, kind, False)
        line.place += 1
    elif kind in ("schneider", "schwarz"):
        state(line, kind, True)
    elif kind == "no-schneider":
        state(line, "schneider", no)
    elif kind == "out":
        behind = line.place + 1
        behind += behind < len(line.words) and line.words[behind] in game_words.FILLERS
        if kind_at(line, behind) != "schneider":
            return False
        state(line, "schneider", False)
        line.place = behind
    elif kind == "knocks":
        sign = has_sign_behind(line)
        count = number_at(line, line.place + 1 + sign)
        line.knock_count = max(1, count or line.knock_count or 0)
        line.role = "knocks"
        line.place += 0 if count is None else 1 + sign
    elif kind == "virgins" and not no:
        line.role = "virgins"
        line.one_virgin = line.words[line.place] in SINGULAR
    else:
        return False
    line.place += 1 + no
    return True


def read_defence(line: Line) -> bool:
    """Read that the others have won or lost, were Schneider or Schwarz and so have lost, or how many points they have:
    `the defence wins`, `Gegner 68 Augen`, `Gegner Schneider`."""
    behind = line.place + 1
    behind += kind_at(line, behind) == "filler"
    kind = kind_at(line, behind)
    is_result = kind in ("won", "lost") or (kind in LOSING and {*line.words[line.place + 1 : behind]} <= {*BEING})
    if kind_at(line, line.place) != "defence" or line.role == "against" or kind_at(line, behind + 1) in ("free", "no"):
        return False
    if not is_result and kind_at(line, behind + 1) != "points":
        return False
    if is_result:
        state(line, "won", kind != "won")
    if kind in LOSING:
        if name_at(line, behind):
            refuse_entry(KEY, line.text, message("notation.name-or-result", word=line.tokens[behind]))
        if kind_at(line, behind + 1) == "won":  # `Gegner Schneider gewonnen`
            refuse_entry(KEY, line.text, message("notation.whose-result", word=line.tokens[behind]))
        state(line, kind, True)
    line.of_defence = True
    line.place = behind + is_result
    return True


def refuse_result_of_others(line: Line) -> None:
    """Refuse a result that may be that of who said Kontra: `Kontra gewinnt`, `Lois Kontra und gewonnen`."""
    joined = kind_at(line, line.place - 1) == "and"
    by_other = bool(line.doubles) and line.doubles[-1][1] not in (None, line.people.get("declarer"))
    acts = line.words[line.place].endswith(("winnt", "liert", "liat", "wins", "loses"))
    if (by_other if joined else acts) and line.place > 1 and doubling_at(line, line.place - 1 - joined):
        refuse_entry(KEY, line.text, message("notation.whose-result", word=line.tokens[line.place]))


def has_sign_behind(line: Line) -> bool:
    """Return whether a colon or a sign of equality stands behind the word reached: `Laufende: 3`."""
    return line.words[line.place + 1 : line.place + 2] in ([":"], ["="])


def read_alone(line: Line) -> bool:
    """Read that the declarer plays against all others; or that all have knocked, or all runners are there."""
    if line.words[line.place] in ALL:
        number = number_at(line, line.place + 1)
        behind = line.place + 1 + (number is not None)
        behind += kind_at(line, behind) == "filler"
        kind = kind_at(line, behind)
        if kind not in ("runners", "knocks"):
            return False
        line.all_runners |= kind == "runners"
        line.all_knocked |= kind == "knocks" and number is None
        line.knock_count = number if kind == "knocks" else line.knock_count
        line.role, line.place = None, behind + 1
        return True
    if kind_at(line, line.place) != "alone":
        return False
    line.is_alone = True
    line.place += 1
    return True


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


def phrase_length(line: Line) -> int:
    """Return how many words the contract named at the place has, or 1 if none of several words is."""
    phrases = (tuple(line.words[line.place : line.place + length]) for length in (3, 2))
    return next((len(phrase) for phrase in phrases if phrase in line.of.phrases), 1)


def read_no_game(line: Line, shortest: int = 2) -> bool:
    """Read a phrase for a deal that nobody played, of at least so many words: `alle passen`; behind one, another for
    the same, and that cards were dealt again."""
    of, again = game_words.usual_words()["no-game"], game_words.usual_words()["again"]["words"]
    before = of.get(line.game[0]) if line.game else None
    for length in range(LONGEST_PHRASE, (1 if before else shortest) - 1, -1):
        phrase = " ".join(line.words[line.place : line.place + length])
        if (phrase in of and not line.game) or (before and (phrase in again or of.get(phrase) == before)):
            line.game += [] if before else [phrase]
            line.place += length
            return True
    return False


def read_game_word(line: Line) -> bool:
    """Read a word of what is played, or one for a deal that nobody played."""
    if read_no_game(line, shortest=1):
        return True
    length = phrase_length(line)
    is_filler = kind_at(line, line.place) == "filler"  # `Muss-Spiel`
    if length == 1 and (is_filler or not is_game_word(line, line.place) or is_pronoun(line)):
        return False
    if line.role == "against" and len(line.against) == 1 and not line.game:  # `gegen Toni Wenz gewonnen`: whose Wenz?
        who = line.people.get("declarer", line.against[0])
        refuse_entry(KEY, line.text, message("notation.two-in-one-role", first=who, second=line.against[0]))
    signs = game_words.usual_words()["suit-signs"]
    if line.game and game_words.usual_words()["no-game"].get(line.game[0]) == "none":
        named = line.of.phrases.get(tuple(line.words[line.place : line.place + length]), ("", None))[0]
        is_after = line.words[line.place] == "muss" or not line.of.words.declarer.get(named, True)
        if is_after and any(map(str.isalpha, line.words[line.place + length :])):
            line.game = []  # `alle weiter, Ramsch Toni`: what came of it
    line.game += [signs.get(word, word) for word in line.words[line.place : line.place + length]]
    line.place += length
    line.role = None
    return True


def read_whole_game(line: Line, words: Sequence[str]) -> Game:
    """Return the game that the words of a line tell. Raise Problem, with the line as it stands, if they tell none, or
    that nobody played, too."""
    if len(words) > 1 and (alone := game_words.usual_words()["no-game"].keys() & {*words}):
        refuse_entry(KEY, line.text, message("notation.game-alone", game=alone.pop()))
    try:
        return game_words.read_game(KEY, " ".join(words), None, "german", line.of)
    except Problem as problem:
        problem.given["entry"] = line.text
        raise


def read_called_card(line: Line) -> bool:
    """Read a Ten or King that is called for want of an Ace: `Schellen-Zehn`, `the ten of bells`."""
    suits, ranks = line.of.words.suits, game_words.usual_words()["ranks"]
    first, between, last = (*line.words[line.place : line.place + 3], "", "")[:3]
    joined = between in ("-", "of")
    suit, rank = (last, first) if between == "of" else (first, last if joined else between)
    behind = line.place + 2 + joined
    if ranks.get(rank) not in CALLED_LATE or len(suit) < 2 or suit not in suits or kind_at(line, behind) in COUNTED:
        return False
    if name_at(line, behind - 1):
        return False  # a player called König
    games = [line.of.phrases.get((word,), (word, None))[0] for word in line.game]
    meant = game_words.usual_words()["words"]
    calls = (line.of.words.takes.get(game) == "called" or meant.get(game, game) == "muss" for game in games)
    if not line.calls and not any(calls):
        return False
    line.game.append(suits[suit] + ranks[rank])
    line.role, line.place = None, behind
    return True


def imply_called_game(line: Line) -> None:
    """Add the called game to a suit with a partner, behind `auf`, or with `Muss`: who has to play calls; and to a
    partner who is called, if it is said how it ended: `Sepp ruft Lois, gewonnen`. Refuse a word that is a game and a
    suit, before two players who may be equals."""
    meant = game_words.usual_words()["words"]
    suits = [word for word in line.game if meant.get(word, word) != "muss"]
    has_to = len(suits) < len(line.game) and bool(suits or line.stated)  # `Sepp muss` alone says less
    calls = line.calls or "partner" in line.people or has_to
    is_both = {*line.game} <= line.of.words.suits.keys() and (*line.game,) in line.of.phrases
    calls_mate = line.calls or any(kind_at(line, at) in ("with", "partner") for at in range(len(line.words)))
    if is_both and not calls_mate and line.game == line.words[:1] and "partner" in line.people:
        refuse_entry(KEY, line.text, message("notation.round-or-suit", word=line.tokens[0]))  # `Kreuz, Ben und Dora`
    called = not line.game and line.stated and line.people.keys() >= {"declarer", "partner"}
    called = called and any(kind_at(line, at) == "calls" for at in range(len(line.words)))
    phones = any(word == "an" and not name_at(line, at) for at, word in enumerate(line.words, 1))
    of_suit = line.game and calls and all(word.casefold() in line.of.words.suits or read_card(word) for word in suits)
    if of_suit or (called and not phones):
        line.game.insert(0, next(name for name, takes in line.of.words.takes.items() if takes == "called"))


def begins_behind(line: Line) -> bool:
    """Return whether the round named at the place begins after the deal: `jetzt Bock`, `danach ist eine Bockrunde`."""
    beside = (*ARTICLES, *game_words.FILLERS)
    before = takewhile(lambda at: kind_at(line, at) == "filler" or line.words[at] in beside, range(line.place)[::-1])
    return any(line.words[at] in FROM_NOW for at in before)


def read_round(line: Line) -> bool:
    """Read the name of a special round; refuse one that begins behind the deal: `Wenz gewonnen, jetzt Bock`."""
    name = game_words.usual_words()["rounds"].get(line.words[line.place])
    if name and line.game and begins_behind(line):
        refuse_entry(KEY, line.text, message("notation.round-alone", word=line.tokens[line.place]))
    line.rounds += [name] if name else []
    line.place += bool(name)
    return bool(name)


def hint_of_round(line: Line) -> Message | None:
    """Return how to write the game of a round that is called by a suit, `Kreuzrunde: Kreuz NAME`, or None."""
    named = [(word, name) for word in line.words if (name := game_words.usual_words()["rounds"].get(word))]
    keys = [f"{word.title()}: {name.title()} NAME" for word, name in named if name in line.of.words.suits]
    return message("notation.did-you-mean", key=keys[0]) if keys else None


def is_pronoun(line: Line) -> bool:
    """Return whether the word reached is hardly the game Sie: `Sepp hat sie`, the ace that was called."""
    ends = kind_at(line, line.place + 1) in ("won", "lost", "filler") and line.tokens[line.place] == "Sie"
    has = line.words[line.place - 1].startswith(("ha", "ho")) and kind_at(line, line.place - 1) == "filler"
    return line.place > 0 and line.words[line.place] == "sie" and has and not ends


def follows_result(line: Line, number: int) -> bool:
    """Return whether a number stands behind `gewonnen` or `gew.` and counts card points: at once and, if it may be a
    price, which ends with 5 or 0, as many as one wins or loses with; behind a comma if it is hardly a price."""
    if not line.words[line.place].isdecimal():
        return False  # `gewonnen fuchzig`
    may_be_price = number % 5 == 0
    signs = [*takewhile(("." if may_be_price else ".,").__contains__, reversed(line.words[: line.place]))]
    result = kind_at(line, line.place - 1 - len(signs))
    is_enough = (result == "won") == (number > HALF) or (result == "lost" and names_no_declarer(line))  # of a Ramsch
    return result in ("won", "lost") and (number % 5 > 0 or is_enough)


def read_count_behind(line: Line) -> bool:
    """Read what is counted before its number: `Laufende 3`, `Augen: 67`."""
    kind, sign = kind_at(line, line.place), has_sign_behind(line)
    at = line.place + 1 + sign
    number = number_at(line, at)
    if kind != "runners" and not (kind == "points" and sign):
        return False
    if number is None or kind_at(line, at + 1) in COUNTED or doubling_at(line, at + 1):
        return False
    state(line, "runner_count" if kind == "runners" else kind, number)
    line.place = at + 1
    return True


def names_suit(line: Line) -> bool:
    """Return whether the suit of the game is named already."""
    try:
        return game_words.read_game(KEY, " ".join(line.game), None, "german", line.of).suit is not None
    except Problem:
        return any(word in line.of.words.suits for word in line.game)
