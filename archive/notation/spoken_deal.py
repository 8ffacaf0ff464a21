"""A deal in a line of words: `Sepp Sauspiel auf die Alte mit Toni, verloren, 3 Laufende, Kontra Hans`.

Words may stand in any order; each must mean something. They are those of `words.toml` and of the rules. Names are those
of the players, or, if the table is not known, the word before the game and the word after `mit` or `with`.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from archive.notation import game_words
from archive.notation.game_words import ContractWords
from archive.notation.problem import Problem, finding_of, refuse_entry
from archive.notation.spoken_facts import (
    HALF,
    MOST_POINTS,
    MOST_RUNNERS,
    TIMES,
    count_in_one_unit,
    counts_without,
    hint_of_game,
    pay_declarer,
    refuse_bare_number,
    refuse_letters,
    refuse_unclear_word,
    refuse_word,
    state,
    state_bare_number,
    state_nothing,
    titled_names,
    whole,
    with_virgins,
)
from archive.notation.spoken_line import (
    AS_CLOCK,
    BOTH,
    KEY,
    LONGEST,
    Line,
    amount_at,
    is_name,
    is_whole_count,
    kind_at,
    name_at,
    number_at,
    tokens_of,
    words_of_names,
)
from archive.notation.spoken_people import (
    BLANK,
    ENDS,
    SEVERAL,
    another_fact_follows,
    doubling_at,
    doubling_said,
    ends_at,
    goes_on,
    is_name_in_brackets,
    partner_of,
    pay_the_rest,
    read_against,
    read_calling,
    read_left_out,
    read_person,
    read_points_of_each,
    read_rest,
    refuse_second_doubler,
    refuse_unclear_people,
)
from archive.notation.spoken_results import (
    follows_result,
    hint_of_round,
    imply_called_game,
    phrase_length,
    read_alone,
    read_bid,
    read_called_card,
    read_count_behind,
    read_defence,
    read_game_word,
    read_letter,
    read_no_game,
    read_result,
    read_round,
    read_whole_game,
)
from archive.record import Finding, Game, Source
from archive.record.names import one_form
from archive.say import message

COUNTED = ("runners", "points", "knocks", "virgins", "price", "filler")  # what a number before them counts
SHORT = ("m", "u", "o")  # with or without a full stop
SEVERAL_KNOCKS = "klopfern"  # without a number
MAY_BE_SUMS = frozenset(("macht", "zusammen", "heute", "heut", "jetzt", "schluss", "zuletzt"))  # beside amounts
ANSWERED = 2  # doublings: Kontra and Re


class SpokenDeal(Struct, frozen=True):
    """A deal as a line tells it: people are names as written, amounts whole units (cents if the line has euros); what
    the line does not say is None."""

    game: Game | None  # without a declarer; None if only each player's amount is given
    declarer: str | None = None
    partner: str | None = None
    dealer: str | None = None
    knocks: tuple[str, ...] | int | None = None
    doubles: tuple[tuple[str, str | None], ...] | None = None  # the word, and the player who said it
    stated: dict[str, Any] = {}  # of record.Stated, its seats as names
    payments: dict[str, int] | tuple[int, ...] | None = None
    in_cents: bool = False  # the line has euros
    against: tuple[str, ...] = ()  # the declarer's opponents, as far as the line names them
    round: tuple[str, ...] | None = None  # special rounds
    sits_out: tuple[str, ...] | None = None
    short: tuple[tuple[str, str], ...] = ()  # words that are only a part of a player's name, and the whole name


def read_spoken_deal(
    text: str, of: ContractWords, players: Sequence[str] | None = None, source: Source | None = None
) -> SpokenDeal | Finding:
    """Return the deal that a line tells, or what is wrong with it: `unknown-contract` if no game is named,
    `unknown-player`, or `bad-entry` with the word that is not understood."""
    try:
        return finish_deal(read_to_end(text, of, players))
    except Problem as problem:
        return finding_of(problem, source)


def read_to_end(text: str, of: ContractWords, players: Sequence[str] | None) -> Line:
    """Return a line of which each word was read. Raise Problem for one that means nothing."""
    if len(text) > LONGEST:
        refuse_entry(KEY, text[:LONGEST], message("notation.line-too-long", most=LONGEST))
    text, names = one_form(text), tuple(map(one_form, players or ()))
    plain = with_virgins(text, of)
    titled = titled_names(plain, of) if players is None else ()
    tokens = tokens_of(plain, names or titled)
    called = None if players is None else words_of_names(names)
    line = Line(text, tokens, [token.casefold() for token in tokens], of, called, names)
    line.titled = words_of_names(titled)
    while line.place < len(tokens):
        if not any(read(line) for read in READERS):
            refuse_word(line)
    if not line.game and "bid" in line.stated:
        line.game, line.rounds = line.rounds, []  # the Bock of a Jass
    count_in_one_unit(line)
    pay_the_rest(line)
    pay_declarer(line)
    if line.doubles and line.doubles[0][0] == "re":
        refuse_entry(KEY, line.text, message("notation.re-alone"))
    return line


def finish_deal(line: Line) -> SpokenDeal:
    """Return the deal of a line that is read to its end."""
    in_round = not set(line.rounds).isdisjoint(line.game)  # `Kreuzrunde: Kreuz` is no suit
    if not in_round:
        imply_called_game(line)
    if not line.game and (deal := amounts_alone(line)):
        return deal
    if not line.game:
        hint = hint_of_round(line) or ("" if line.names else hint_of_game(line, line.words))
        raise Problem("unknown-contract", KEY, line.text, hint=hint)
    beside = (*game_words.WORDS, *game_words.usual_words()["words"])  # these may stand before the contract too
    words = sorted(line.game, key=lambda word: word in beside)
    if not in_round and all(word in beside or word in line.of.words.suits for word in words):
        raise Problem("unknown-contract", KEY, line.text, hint=message("notation.suit-alone"))
    words += [str(line.stated.pop("bid"))] if "bid" in line.stated else []
    game = read_whole_game(line, words)
    if line.role in ("partner", "dealer"):
        refuse_entry(KEY, line.text, message("notation.name-behind", word=line.tokens[-1]))
    state_in_whole(line, game.contract)
    declarer = line.people.get("declarer")
    stated = line.stated | ({"points": line.card_points} if line.card_points else {})
    declares = line.of.words.declarer.get(game.contract, True) and game.contract not in game_words.NO_GAME
    refuse_unclear_people(line, declares, game.contract in game_words.NO_GAME)
    if game.contract in game_words.NO_GAME and (declarer or line.stated or line.is_alone):
        refuse_entry(KEY, line.text, message("notation.game-alone", game=" ".join(line.game)))
    if not declares and game.contract not in game_words.NO_GAME:  # the player named with a Ramsch has lost it
        of_first = not declarer and ("points_against" in stated or not line.names)  # `Bierkopf verloren 50:70`
        if not of_first and stated.pop("won", False) and declarer:
            refuse_entry(KEY, line.text, message("notation.loser-won", game=" ".join(line.game)))
        stated |= {"loser": declarer} if declarer else {}
        declarer = None
    line.calls = line.of.words.takes.get(game.contract) == "called"
    partner = partner_of(line)
    if line.is_alone and (partner or line.of.words.takes[game.contract] == "called"):
        refuse_entry(KEY, line.text, message("notation.alone-with-partner"))
    in_cents = any(amount.is_money for amount in (*line.by_name.values(), *line.amounts))
    amounts = [whole(line, amount, in_cents) for amount in line.amounts]
    if len(amounts) == 1 and not line.by_name and not line.amounts[0].is_signed:
        price = amounts.pop()
        if stated.setdefault("price", price) != price:
            refuse_entry(KEY, line.text, message("notation.both-ways", key="price"))
    payments = {name: whole(line, amount, in_cents) for name, amount in line.by_name.items()} or tuple(amounts) or None
    if amounts and (line.by_name or len(amounts) != len(line.names)):
        refuse_entry(KEY, line.text, message("notation.amount-for-each", players=len(line.names)))
    return SpokenDeal(
        game,
        declarer,
        partner,
        line.people.get("dealer"),
        tuple(line.knocks) or line.knock_count,
        tuple(line.doubles) or (() if line.no_doubles else None),
        stated,
        payments,
        in_cents,
        tuple(line.against),
        tuple(dict.fromkeys(line.rounds)) or None,
        tuple(line.out) or None,
        tuple(line.short.items()),
    )


def state_in_whole(line: Line, contract: str) -> None:
    """State as many runners as there are trumps if all are said, and these are of whole ranks alone; as many knocks as
    players if all have knocked and the table is known; one virgin if the word is singular and nobody is named. Raise
    Problem if nobody knows how many, as of several virgins without names or a number."""
    if line.all_runners:
        trumps = line.of.words.trumps.get(contract)
        if trumps is None:
            refuse_entry(KEY, line.text, message("notation.how-many-runners"))
        state(line, "runner_count", trumps)
    if line.all_knocked:
        if not 3 <= len(line.names) <= 4:  # of five somebody sits out
            refuse_entry(KEY, line.text, message("notation.how-many-knocks"))
        line.knock_count = len(line.names)
    if line.knock_count == 1 and not line.knocks and SEVERAL_KNOCKS in line.words:
        refuse_entry(KEY, line.text, message("notation.how-many-knocks"))
    if line.one_virgin is False and "virgins" not in line.stated:
        refuse_entry(KEY, line.text, message("notation.how-many-virgins"))
    if line.one_virgin:
        line.stated.setdefault("virgins", 1)


def amounts_alone(line: Line) -> SpokenDeal | None:
    """Return the deal of a line that has an amount for each player of the table, by name or in their order, and says
    nothing else; None if it is not so, if they do not add up to zero, or if a word beside them may say what."""
    others = (line.people, line.stated, line.doubles, line.knocks, line.rounds, line.against)
    amounts = [*line.by_name.values(), *line.amounts]
    if not line.names or len(amounts) != len(line.names) or any(others) or (line.by_name and line.amounts):
        return None
    if not MAY_BE_SUMS.isdisjoint(line.words):
        return None
    if sum(amount.hundredths for amount in amounts):
        return None
    in_cents = any(amount.is_money for amount in amounts)
    paid = {name: whole(line, amount, in_cents) for name, amount in line.by_name.items()}
    in_order = tuple(whole(line, amount, in_cents) for amount in line.amounts)
    return SpokenDeal(None, payments=paid or in_order, in_cents=in_cents, short=tuple(line.short.items()))


# --- readers: each takes what it understands from the place reached on, and says whether it did -----------------------


def read_sign(line: Line) -> bool:
    """Read a sign between words; a comma ends what was said before it."""
    if line.words[line.place] not in BLANK:
        return False
    sign = line.words[line.place]
    _, end = amount_at(line, line.place + 1) or (None, line.place + 1)
    if sign in "-–−" and end == len(line.words) and line.game and not (line.stated or line.by_name):
        refuse_word(line)  # it may say that the deal was lost
    joins = sign in "+&/" and line.place > 0
    of_fact = sign == "(" and line.role in ("double", "knocks")  # `Kontra (Lois)`
    keeps = sign == ":" or of_fact or (sign == "," and goes_on(line)) or (joins and line.role in SEVERAL)
    if joins:
        refuse_second_doubler(line)
    partner = joins and not keeps and "declarer" in line.people and not another_fact_follows(line, line.place + 1)
    mate = partner or (sign == "(" and not keeps and is_name_in_brackets(line) and "declarer" in line.people)
    line.role = "partner" if mate else line.role if keeps else None
    line.place += 1
    return True


def read_doubling(line: Line) -> bool:
    """Read Kontra and Re, perhaps followed by who said it."""
    if kind_at(line, line.place) in ("no", "without") and doubling_at(line, line.place + 1):
        line.no_doubles = True
        line.place += 2
        return True
    said = doubling_said(line, line.place)
    if said is None:
        return False
    if line.doubles[-1:] == [("kontra", None)] and said[0] == "kontra":
        refuse_entry(KEY, line.text, message("notation.kontra-twice"))
    line.doubles.append((said[0], None))
    line.role, line.place = "double", said[1]
    return True


def read_with(line: Line) -> bool:
    """Read `mit` and `ohne`: a partner, points, runners, how it ended, or nothing before the name of a card."""
    kind = "without" if counts_without(line) else kind_at(line, line.place)
    if kind not in ("with", "without", "and", "partner", "dealer") or phrase_length(line) > 1:
        return False
    if kind == "and":
        refuse_second_doubler(line)
    line.place += line.words[line.place] in SHORT and line.words[line.place + 1 : line.place + 2] == ["."]
    number, noun = number_at(line, line.place + 1), kind_at(line, line.place + 2)
    if noun == "filler" and (number or 0) <= MOST_RUNNERS and line.words[line.place + 2] not in TIMES:
        noun = None  # `mit drei gespielt`
    line.place += 1
    if kind == "with" and kind_at(line, line.place) in ENDS and name_at(line, line.place):
        refuse_entry(KEY, line.text, message("notation.name-or-result", word=line.tokens[line.place]))
    points_follow = line.place < len(line.words) and re.fullmatch(BOTH, line.words[line.place])
    if (
        points_follow
        or (kind == "and" and line.role in SEVERAL)
        or (kind in ("and", "with") and kind_at(line, line.place) in (*ENDS, "virgins"))
        or (kind == "and" and another_fact_follows(line, line.place))
    ):
        pass
    elif kind in ("and", "with") and number is None:
        line.role = "partner" if "partner" not in line.people and (kind == "with" or line.people) else line.role
    elif kind in ("partner", "dealer"):
        line.role = kind
    elif kind == "without" and number is None:
        if not state_nothing(line, kind_at(line, line.place)):
            line.place -= ends_at(line, line.place)  # `ohne` and nothing after it
            refuse_word(line)
        line.place += 1
    elif kind == "without" and number is not None and noun in (None, "runners", *ENDS) and number <= MOST_RUNNERS:
        state(line, "runners", -number)
        line.place += 2 if noun == "runners" else 1
    elif kind == "without":
        refuse_word(line)  # `ohne 2 Klopfer`
    elif kind == "with" and noun not in COUNTED and number and (number > 1 or line.words[line.place].isdecimal()):
        at = line.place + 1  # `mit 2 Kontra Re`, `mit 2 Kontra von Lois` and `mit 2 gespritzt` are clear
        word, giver = (*line.words[at : at + 2], "", "")[:2]
        is_clear = number != ANSWERED or doubling_at(line, at + 1) or name_at(line, at + 1) or giver == "von"
        are_several = re.fullmatch(r"(?!g).*(?:ße|sse|en)", word)
        if doubling_at(line, at) and (are_several or not (is_clear or word.endswith("t"))):
            refuse_entry(KEY, line.text, message("notation.kontra-twice"))  # `mit 2 Kontra`: runners, or Kontra and Re
        state_bare_number(line, number)
        line.place += 1
    return True


def read_number(line: Line) -> bool:
    """Read a number with what it counts after it, an amount, or points of both sides."""
    token = line.words[line.place]
    if both := re.fullmatch(BOTH, token):
        may_be_other = re.fullmatch(AS_CLOCK, token) or int(both[1]) + int(both[2]) < HALF  # `1:0`
        if may_be_other and not is_whole_count(token):
            refuse_entry(KEY, line.text, message("notation.points-or-clock", word=token))
        state(line, "points", int(both[1]))
        state(line, "points_against", int(both[2]))
        line.place += 1
        return True
    if paid := amount_at(line, line.place):
        line.amounts.append(paid[0])
        line.place = paid[1]
        return True
    number = number_at(line, line.place)
    after = line.place + 1
    if kind_at(line, after) == "filler":
        after += 1
    kind = kind_at(line, after)
    if number is None:
        return False
    before = line.place - 1 - (line.words[line.place - 1] in (".", "den", "the"))
    if kind == "runners" and kind_at(line, before) != "with":
        state(line, "runner_count", number)
    elif kind in ("runners", "points", "virgins", "price"):
        state(line, kind, number)
    elif kind == "knocks":
        line.knock_count = number
    elif follows_result(line, number) and MOST_RUNNERS < number <= MOST_POINTS:
        state(line, "points", number)
        after = line.place
    elif doubling_at(line, after):
        line.doubles += [(doubling_at(line, after) or "", None)] * number
    else:
        return False
    line.place = after + 1
    return True


def read_filler(line: Line) -> bool:
    """Read a word that means nothing here."""
    if kind_at(line, line.place) != "filler" and line.words[line.place] not in game_words.FILLERS:
        return False
    if line.place:
        refuse_letters(line, {line.tokens[line.place]} & {"A"})  # no article, as before `A Wenz`
    after = line.place + 1
    of_person = after < len(line.words) and (name_at(line, after) or is_name(line, after))  # `mit der Zenzi`
    if line.words[line.place] in game_words.FILLERS and line.role == "partner" and not of_person:
        line.role = None
    line.place += 1
    return True


READERS: tuple[Callable[[Line], bool], ...] = (
    read_sign, read_no_game, read_rest, read_points_of_each, read_left_out, read_person, refuse_unclear_word,
    read_round, read_against, read_calling, read_called_card, read_doubling, read_bid, read_number, read_with,
    read_count_behind, read_defence, read_result, read_letter, read_game_word, read_alone, read_filler,
    refuse_bare_number,
)  # fmt: skip
