"""Facts of a line that tells a deal, each stated once."""

import re
from collections.abc import Collection
from typing import Any

from archive.notation import game_words
from archive.notation.game_words import ContractWords, usual_words
from archive.notation.list_marks import CROSSED, CROSSES
from archive.notation.problem import Problem, refuse_entry
from archive.notation.spoken_line import (
    KEY,
    SLIP,
    TOKEN,
    Amount,
    Line,
    is_game_word,
    kind_at,
    known_words,
    name_at,
    number_at,
    words_of_games,
)
from archive.record.names import TITLED, name_key
from archive.say import Message, message

OF_PEOPLE = ("partner", "knocks", "dealer", "virgins")  # what follows a name
MOST_RUNNERS = game_words.MOST_RUNNERS
MOST_POINTS = 120
MOST_IN_JASS = 157  # with the last trick
HALF = 60  # card points
SURE = 1  # no slip, since the game is named behind it
RUNNERS = ("runners", "runner_count")
OTHER_SIDE = {"points": "points_against", "points_against": "points"}
MOST_BARE_RUNNERS = 8  # of a won deal, if a number stands without what it counts: as many as a hand has cards
TIMES = ("x", "×", "mal", "moi", "times")  # behind a number
NO_TRICK = r"(?i)\b(?:(?:hat|macht|has|took|takes) )?(?:keinen|kein|koan|ohne|no|without a) (?:stich|trick)\b"
NOTHING = {"runners": 0, "virgins": 0, "schneider": False, "schwarz": False}  # what is stated if there was none


def state(line: Line, key: str, value: Any) -> None:
    """State a fact once; points behind the declarer's opponents are theirs. Raise Problem if it was stated otherwise,
    or cannot be, as that these lose with so many: they may be the declarer's."""
    if line.of_defence and key in OTHER_SIDE:
        key, won = OTHER_SIDE[key], line.stated.get("won")
        if won is not None and won != (value > HALF if key == "points" else value < HALF):
            refuse_entry(KEY, line.text, message("notation.whose-points", number=value))
    of_runners = key in RUNNERS
    most = MOST_RUNNERS if of_runners else None
    if key in ("points", "points_against"):  # more in a Jass, which is bid
        is_bid = any(kind_at(line, at) == "bid" for at in range(len(line.words)))
        most = MOST_IN_JASS if is_bid else MOST_POINTS
    if most is not None and value > most:
        id = "notation.at-most" if of_runners else "notation.at-most-points"
        refuse_entry(KEY, line.text, message(id, number=value, most=most))
    differs = of_runners and any(abs(line.stated.get(each, value)) != abs(value) for each in RUNNERS)
    if differs or line.stated.setdefault(key, value) != value:
        refuse_entry(KEY, line.text, message("notation.both-ways", key="runners" if of_runners else key))


def counts_without(line: Line) -> bool:
    """Return whether `o` or `o.` stands before a number, for `ohne`."""
    behind = line.place + 1 + (line.words[line.place + 1 : line.place + 2] == ["."])
    return line.words[line.place] == "o" and number_at(line, behind) is not None


def state_nothing(line: Line, kind: str | None) -> bool:
    """State that there was none of something, and return whether that can be: `keine Laufenden`, `ohne Schneider`."""
    if kind == "knocks":
        line.knock_count = 0
    elif kind in NOTHING:
        state(line, kind, NOTHING[kind])
    return kind == "knocks" or kind in NOTHING


def state_bare_number(line: Line, number: int) -> None:
    """State a number after `mit` without what it counts: points if it can be nothing else; runners if nobody wins with
    so few points, or right after the game, if these are few or it is not yet said how it ended."""
    won, is_few = line.stated.get("won"), 0 < number <= MOST_BARE_RUNNERS
    is_behind_game = line.game[-1:] == [line.words[line.place - 2]]
    if number > MOST_RUNNERS:
        state(line, "points", number)
    elif (is_few and (won or is_behind_game)) or (line.game and won is None):
        state(line, "runners", number)
    elif not (line.game or line.names) and (hint := hint_of_game(line, line.people.values())):  # `Wens mit 2`
        raise Problem("unknown-contract", KEY, line.text, hint=hint)
    else:
        refuse_entry(KEY, line.text, message("notation.number-of-what", number=number))


def titled_names(text: str, of: ContractWords) -> tuple[str, ...]:
    """Return the names of several words that a line has by their shape, if the table is not known: `Hans M.`, `Dr.
    Xaver`; none that has a word of the game."""
    names = (match[0] for match in re.finditer(TITLED, text))
    return tuple(dict.fromkeys(each for each in names if words_of_games(of).isdisjoint(name_key(each).split())))


def with_virgins(text: str, of: ContractWords) -> str:
    """Return a line with the word for a virgin for who has no trick in a game that nobody declares."""
    return text if is_declared(re.findall(r"\w+", text.casefold()), of) else re.sub(NO_TRICK, "Jungfrau", text)


def is_declared(words: Collection[str], of: ContractWords) -> bool:
    """Return whether no word names a game that nobody declares, as a Ramsch."""
    named = (of.phrases.get((word,)) for word in words)
    return all(of.words.declarer.get(each[0], True) for each in named if each)


def pay_declarer(line: Line) -> None:
    """Give the declarer the amount behind the game, if those of the others stand behind their names and all add up to
    zero: `Toni Wenz +150, Lois -50, Sepp -50, Maria -50`."""
    declarer = line.people.get("declarer")
    if len(line.amounts) != 1 or len(line.by_name) < 2 or declarer is None or declarer in line.by_name:
        return
    if not sum(amount.hundredths for amount in (*line.by_name.values(), *line.amounts)):
        line.by_name[declarer] = line.amounts.pop()


def count_in_one_unit(line: Line) -> None:
    """Make hundredths of the amounts in cents, if others of the line are in euros: `Toni +1,50 €, Lois -50 ct`."""
    amounts = [*line.by_name.values(), *line.amounts, *filter(None, [line.rest])]
    if not any(amount.is_money for amount in amounts):
        return

    def in_hundredths(amount: Amount) -> Amount:
        return amount._replace(hundredths=amount.hundredths // 100) if amount.in_cents else amount

    line.by_name = {name: in_hundredths(amount) for name, amount in line.by_name.items()}
    line.amounts = [*map(in_hundredths, line.amounts)]
    line.rest = line.rest and in_hundredths(line.rest)


def whole(line: Line, amount: Amount, in_cents: bool) -> int:
    """Return an amount in cents, or in the whole unit of a line without euros."""
    return amount.hundredths if in_cents else amount.hundredths // 100


def refuse_unclear_word(line: Line, place: int | None = None) -> bool:
    """Refuse a word that may mean several things, alone or behind a number, and `2x` without what was done twice; at
    the place reached, or another."""
    place = line.place if place is None else place
    number = number_at(line, place)
    at = place + (number is not None)
    word, behind = ((*line.words, "", "")[place] for place in (at, at + 1))
    question = usual_words()["unclear"].get(word)
    if question:
        refuse_entry(KEY, line.text, message(f"notation.{question}", word=line.tokens[at]))
    if number is not None and word in TIMES and (not behind or not behind[0].isalpha()):
        refuse_entry(KEY, line.text, message("notation.times-of-what", number=number))
    return False


def refuse_letters(line: Line, letters: Collection[str]) -> None:
    """Refuse letters that may begin the name of a player: `Ruf S`, of Sepp or not."""
    for letter in letters:
        if any(name_key(name).startswith(letter.casefold()) for name in line.names):
            refuse_entry(KEY, line.text, message("notation.name-or-result", word=letter.upper()))


def refuse_bare_number(line: Line) -> bool:
    """Refuse a number without what it counts."""
    number = number_at(line, line.place)
    if number is not None and (number > MOST_RUNNERS or line.words[line.place].isdecimal()):
        id = "number-of-what" if number <= MOST_RUNNERS else "points-or-cents"
        id = "at-most-points" if number > MOST_POINTS else id
        refuse_entry(KEY, line.text, message(f"notation.{id}", number=number, most=MOST_POINTS))
    return False


def refuse_word(line: Line) -> None:
    """Refuse the word reached, with the nearest that is known; as a name if one of the players should stand there."""
    token = line.tokens[line.place]
    crosses = [sign for sign in line.text if sign in CROSSES] if token == CROSSED and token not in line.text else []
    if crosses:
        refuse_entry(KEY, line.text, message("notation.deal-word", word=crosses[0], hint=""))
    if any(line.words[line.place] in name_key(name).split() for name in line.names):  # a word that several share
        if line.words[line.place] in line.of.words.suits:
            refuse_entry(KEY, line.text, message("notation.name-or-result", word=token))
        raise Problem("unknown-player", KEY, token, players=", ".join(line.names), hint="")
    meant, behind = nearest_player(line, token), range(line.place + 1, len(line.words))
    games = [at for at in behind if is_game_word(line, at)]
    is_told = line.place == 0 and games and not name_at(line, games[-1] + 1)  # `Resi Wenz`, and no `Hwrz Solo Toni`
    near = SURE if is_told else SLIP if meant or line.role else game_words.NEAR
    hint = hint_of_letters(line, token) or hint_of_game(line, [token], near)
    is_code = bool(line.people) and token.isupper() and len(token) <= 2
    stands_as_name = line.role or kind_at(line, line.place + 1) in OF_PEOPLE or not (line.game or is_code)
    if line.players is not None and token[:1].isupper() and not hint and (meant or stands_as_name):
        raise Problem("unknown-player", KEY, token, players=", ".join(line.names), hint=meant)
    hint = hint or meant or hint_of_game(line, [token])
    refuse_entry(KEY, line.text, message("notation.deal-word", word=token, hint=hint))


def hint_of_letters(line: Line, token: str) -> Message | str:
    """Return how to write a game that is a letter behind a player, or one behind that of a suit: `W`, `HS`, `EA`."""
    if not token.isupper() or len(token) > 2 or token == "SS":  # Schellen-Solo or Sauspiel
        return ""
    before, letter = token[:-1], token[-1]
    game = "sau" if letter == "A" else usual_words()["letters"]["games"].get(letter.casefold())
    suits = [word for word, suit in line.of.words.suits.items() if suit == before and len(word) > 1]
    key = " ".join((*suits[:1], game)) if game and (suits or (line.people and not before)) else ""
    return message("notation.did-you-mean", key=key) if key else ""


def hint_of_game(line: Line, words: Collection[str], near: float = game_words.NEAR) -> Message | str:
    """Return a hint at the word that may be meant by one of some, if no game is named yet rather at a game."""
    unknown = [word for word in words if word.casefold() not in known_words(line.of)]
    hint = game_words.hint_of(unknown, known_words(line.of), near=near)
    games = game_words.games_and_compounds(line.of) if hint and not line.game else ()
    return game_words.hint_of(unknown, games, near=near) or hint


def nearest_player(line: Line, token: str) -> Message | str:
    """Return a hint at the player who may be meant by a name, as written; empty if none is near."""
    shown = {part.casefold(): part for name in line.names for part in re.findall(TOKEN, name)}
    hint = game_words.hint_of([token], shown)
    return message("notation.did-you-mean", key=shown[hint.facts["key"]]) if isinstance(hint, Message) else hint
