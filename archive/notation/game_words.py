"""The entry `game`, and contracts in calls: `CONTRACT [SUIT or CARD] [WORDS]` in the words of the rules and of
`words.toml`."""

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import ALPHABETS, other_alphabet, read_card
from archive.notation.problem import Problem, refuse_entry
from archive.record import Game
from archive.record.names import name_key
from archive.resources import read_tables
from archive.rules import Vocabulary, installed_rulesets, ruleset_path, vocabulary
from archive.say import Message, message, nearest

WORDS = ("tout", "du", "hand", "open", "muss", "void")
NO_GAME = ("none", "misdeal")
EXPECTED = message("notation.game")
NEAR = 0.75  # how alike two words are if one is taken for a slip of the other
MOST_APART = 3  # the most letters by which one is longer
SHORTEST = 3  # letters of either part of a compound
NEAREST_KEPT = 4096  # words whose nearest is kept; none is much longer than the known ones


@cache
def usual_words() -> dict[str, Any]:
    """Return the tables of `words.toml`: what people write, and what a record is written with."""
    tables = read_tables(Path(__file__).with_name("words.toml"))
    for name in ("contracts", "calls", "doubles", "deal", "head"):
        tables[name] = {word: meaning for meaning, words in tables[name].items() for word in words}
    tables["deal"] |= dict.fromkeys(tables["deal-fillers"]["words"], "filler")
    for firsts, lasts in tables["nobody-plays"].values():
        tables["no-game"] |= {first + last: "none" for first, last in product(firsts, lasts)}
    return tables


@cache
def number_words() -> dict[str, int]:
    """Return the numbers that words name, also those of a one before a ten: `einundneunzig`."""
    ones, tens = usual_words()["numbers"], usual_words()["tens"]
    joined = {f"{one}und{ten}": ones[one] + tens[ten] for one in ones for ten in tens if ones[one] < 10}
    return {**joined, **tens, **ones}


MOST_RUNNERS = 14
FILLERS: frozenset[str] = frozenset(usual_words()["fillers"]["words"])


class ContractWords(Struct, frozen=True, eq=False):
    """The words for contracts: those of the rules, and every name of a contract, word by word, with its id and the suit
    if the name tells it."""

    words: Vocabulary
    phrases: dict[tuple[str, ...], tuple[str, str | None]]


def words_of_rules(rules: str, folder: Path | None) -> ContractWords:
    """Return the words of the installed rules, and of the ruleset `rules` that may lie in `folder`."""
    return contract_words(None if rules in installed_rulesets() else ruleset_path(rules, folder))


def ruleset_called(name: str) -> str | None:
    """Return the installed ruleset that a name calls, in small or capital letters; None if there is none."""
    return next((rules for rules in installed_rulesets() if rules.casefold() == name.strip().casefold()), None)


@cache
def contract_words(own: Path | None = None) -> ContractWords:
    """Return the words of the installed rules, and of the ruleset at `own`, an absolute path."""
    words = vocabulary(own)
    usual = {name: (text.split()[0], (*text.split(), None)[1]) for name, text in usual_words()["contracts"].items()}
    names = usual | {name: (contract, None) for name, contract in words.names.items()} | words.nicknames
    return ContractWords(words, {split_words(name): meaning for name, meaning in names.items()})


@cache
def first_words() -> frozenset[str]:
    """Return the words with which an entry without a declarer can begin."""
    usual = contract_words()
    no_game = {name.split()[0] for name in usual_words()["no-game"]} | set(NO_GAME)
    return frozenset(phrase[0] for phrase in usual.phrases) | frozenset(usual.words.suits) | FILLERS | no_game


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case; commas and hyphens part them."""
    return tuple(text.casefold().replace("-", " ").replace(",", " ").split())


def is_contract(text: str) -> bool:
    """Return whether a text as it stands names a contract of the rules (and so cannot name a player)."""
    name = split_words(text)
    return name in contract_words().phrases and " ".join(name) not in usual_words()["contracts"]


def other_game(titles: Iterable[str], cells: Iterable[str] = ()) -> str:
    """Return the name of another card game that titles have, if none has Schafkopf, or that heads and cells of a table
    are words of; or ""."""
    text, words = f" {' '.join(map(name_key, titles))} ", usual_words()["other-games"]
    if "schaf" in text or "sheeps" in text:
        return ""
    behind, begin = tuple(words["behind"]), [at for at, sign in enumerate(text, 1) if sign == " "]
    begun = ((game, at + len(game)) for at in begin for game in words["names"] if text.startswith(game, at))
    named = (game for game, end in begun if text.startswith(behind, end))
    told = (words["signs"][key] for cell in cells if (key := name_key(cell)) in words["signs"])
    return (next(named, "") or next(told, "")).capitalize()


def hint_of(words: Iterable[str], known: Iterable[str], same_letter: bool = False, near: float = NEAR) -> Message | str:
    """Return a hint at the known word that may be meant by an unknown one, about as long, and if asked only with the
    same first letter; empty if none is near."""
    every = frozenset(known)
    unknown = [small for word in words if len(word) > SHORTEST and (small := word.casefold()) not in every]
    longest = _longest(every) + MOST_APART if unknown else 0
    for word in unknown:
        if len(word) <= longest and (meant := _nearest_word(word, every, same_letter, near)):
            return message("notation.did-you-mean", key=meant)
    return ""


@lru_cache(NEAREST_KEPT)
def _longest(words: frozenset[str]) -> int:
    return max(map(len, words), default=0)


@lru_cache(NEAREST_KEPT)
def _nearest_word(word: str, known: frozenset[str], same_letter: bool, near: float) -> str:
    """Return the known word most like a word, or empty if none is near; cached, as names of a table recur."""
    offered = known.difference(usual_words()["dialect"]["words"])
    like = [each for each in offered if each[0] == word[0] or not same_letter]
    like = sorted(each for each in like if abs(len(each) - len(word)) <= MOST_APART)
    return nearest(word, like, near) or ""


@cache
def contract_names(of: ContractWords) -> tuple[str, ...]:
    """Return every word that can tell a game."""
    names = (word for phrase in of.phrases for word in phrase)
    return tuple(dict.fromkeys((*names, *of.words.suits, *WORDS, *usual_words()["words"], *usual_words()["no-game"])))


@cache
def compounds(of: ContractWords) -> tuple[str, ...]:
    """Return the usual words of a suit and a contract written together, `herzsolo`, to find which is meant."""
    names = [
        phrase[0] for phrase, (name, _) in of.phrases.items() if len(phrase) == 1 and of.words.takes[name] != "called"
    ]
    return tuple(suit + name for suit in of.words.suits if len(suit) >= SHORTEST for name in names)


@cache
def games_and_compounds(of: ContractWords) -> frozenset[str]:
    """Return every word that can tell a game, and the compounds."""
    return frozenset((*contract_names(of), *compounds(of)))


def split_compound(word: str, of: ContractWords) -> tuple[str, ...]:
    """Return the parts of a word written together, `herzsolo`, or the word itself if its parts are not known."""
    known = contract_names(of)
    if len(word) < 2 * SHORTEST or word in known:
        return (word,)
    cuts = ((word[:at], word[at:]) for at in range(SHORTEST, len(word) - SHORTEST + 1))
    return next(
        ((first, last) for first, last in cuts if first in known and ((last,) in of.phrases or last in WORDS)), (word,)
    )


def read_game(key: str, text: str, declarer: int | None, alphabet: str, of: ContractWords) -> Game:
    """Return the game that is played, from `text` after its declarer. Raise Problem if it is none."""
    no_game = " ".join(split_words(text))
    if no_game in NO_GAME or no_game in usual_words()["no-game"]:
        if declarer is not None:
            refuse_entry(key, text, message("notation.game-alone", game=text))
        return Game(usual_words()["no-game"].get(no_game, no_game))
    game = read_contract(key, text, alphabet, of)
    if declarer is not None and not of.words.declarer.get(game.contract, True):
        refuse_entry(key, text, message("notation.no-declarer", game=game.contract))
    return Game(game.contract, declarer, game.suit, game.called, game.words, game.bid)


def read_contract(key: str, text: str, alphabet: str, of: ContractWords) -> Game:
    """Return a contract with its suit or card and its words, without a declarer. Raise Problem if it is none."""
    tokens = tuple(part for word in split_words(text) for part in split_compound(word, of))
    contract = suit = called = bid = None
    words: set[str] = set()
    place = 0
    while place < len(tokens):
        token = tokens[place]
        length = next((n for n in (3, 2, 1) if tokens[place : place + n] in of.phrases), 0)
        is_other = token.isdecimal() or token in of.words.suits  # a number is bid, too
        if length and not (is_other and _names_another(tokens, place, of)):
            named, of_suit = of.phrases[tokens[place : place + length]]
            if contract not in (None, named) or (of_suit and suit):
                refuse_entry(key, text, EXPECTED)
            contract, suit, place = named, of_suit or suit, place + length
            continue
        place += 1
        if token in FILLERS:
            continue
        if suit_of_token := _suit(token, alphabet, of):
            if suit:
                refuse_entry(key, text, message("notation.one-suit"))
            suit = suit_of_token
        elif contract is None and not length:
            raise Problem("unknown-contract", key, text, hint=lambda: hint_of(tokens, games_and_compounds(of)))
        elif (word := usual_words()["words"].get(token, token)) in WORDS and word not in words:
            words.add(word)
        elif token.isascii() and token.isdigit() and len(token) < 10 and bid is None:
            bid = int(token)
        elif called is None and (card := read_card(token, alphabet)):
            called = card
        else:
            _refuse(key, text, token, alphabet)
    if contract is None:
        raise Problem("unknown-contract", key, text, hint=lambda: hint_of(tokens, games_and_compounds(of)))
    game_words_in_order = tuple(word for word in WORDS if word in words)
    return _fit_to_contract(key, text, Game(contract, None, suit, called, game_words_in_order, bid), of)


def _names_another(tokens: tuple[str, ...], place: int, of: ContractWords) -> bool:
    """Return whether other words name a contract beside this one, which can name one too: the Kreuz of a Kreuz-Solo
    or of an Einfaches Spiel is a suit, the 66 of a Jass a bid."""
    own = of.phrases.get((tokens[place],))
    beside = (tokens[:place], tokens[place + 1 :])
    others = (of.phrases.get(part[at : at + n]) for part in beside for n in (1, 2, 3) for at in range(len(part)))
    return any(each is not None and (each != own or not tokens[place].isdecimal()) for each in others)


def _fit_to_contract(key: str, text: str, game: Game, of: ContractWords) -> Game:
    """Return the game, if its contract takes the suit and card. Raise Problem if not."""
    suit, called = game.suit, game.called
    contract = of.words.with_suit.get(game.contract, game.contract) if suit else game.contract
    takes = of.words.takes[contract]
    if (suit or called) and takes == "none":
        refuse_entry(key, text, message("notation.names-nothing", game=contract))
    if called and takes != "called":
        refuse_entry(key, text, message("notation.calls-nothing", game=contract))
    if called and suit:
        refuse_entry(key, text, message("notation.suit-or-card"))
    if called:
        suit = called[0] if called[0] != "?" else None
    elif suit and takes == "called":
        called = suit + of.words.called[contract]
    return replace(game, contract=contract, suit=suit, called=called)


def read_suit(text: str, alphabet: str, of: ContractWords) -> str | None:
    """Return the suit that a text names, or None if it names none."""
    return _suit(text.casefold(), alphabet, of) if text else None


def _suit(token: str, alphabet: str, of: ContractWords) -> str | None:
    """Return the suit that a word or a letter names, or None; the letters are those of the record's cards."""
    if len(token) > 1 and token[1:] != "\ufe0f":
        return of.words.suits.get(token)
    suit = ALPHABETS[alphabet][0].get(token[0].upper())
    return suit if suit != "?" else None


def _refuse(key: str, text: str, token: str, alphabet: str) -> None:
    letter = (a for a in ALPHABETS if len(token) == 1 and _suit(token, a, contract_words()))
    other = other_alphabet(token, alphabet) or next(letter, None)
    if other:
        raise mixed_letters(key, text, token, other, alphabet)
    hint = hint_of([token], contract_names(contract_words()))
    refuse_entry(key, text, message("notation.game-token", token=token, hint=hint))


def mixed_letters(key: str, text: str, card: str, other: str, alphabet: str) -> Problem:
    """Return the problem of a card in the letters of another alphabet than the record's."""
    return Problem("mixed-letters", key, text, card=card, other=letters(other), alphabet=letters(alphabet))


def letters(alphabet: str) -> Message:
    """Return the name of the letters of an alphabet (`german`, `french`, `english`)."""
    return message(f"notation.{alphabet}")


def contract_text(game: Game) -> str:
    """Return the canonical form of a game without its declarer: `rufspiel E`, `solo H tout`."""
    usual = (game.suit or "") + contract_words().words.called.get(game.contract, "")
    of_suit = game.called if game.called and game.called != usual else game.suit
    words = sorted(game.words, key=lambda word: (word not in WORDS, WORDS.index(word) if word in WORDS else 0))
    bid = None if game.bid is None else str(game.bid)
    return " ".join(part for part in (game.contract, of_suit, *words, bid) if part is not None)


# --- calls ----------------------------------------------------------------------------------------------------------

CALLS = frozenset({"pass", "play", "hold", "good", "mit", "concede", "offer", "accept", "no"})
CALLS |= {"hang", "may-i", "refuse", "take", "timeout"}
CALL_EXPECTED = message("notation.call")
SIGNS_OF_SPEECH = str.maketrans({",": " ", "’": "'"})
UMLAUTS = {"haett": "hätt", "wuerd": "würd", "haeng": "häng", "hab' ": "hab "}


def read_call(key: str, text: str, alphabet: str, of: ContractWords) -> str:
    """Return one call of the auction in its canonical form. Raise Problem if it is none."""
    call = canonical_call(text)
    if call in CALLS or (call.isascii() and call.isdigit() and (call == "0" or call[0] != "0")):
        return call
    head, _, tail = call.partition("-")
    if head in ("have", "not"):
        named, of_suit = of.phrases.get(split_words(tail), (tail if tail in WORDS else None, None))
        return f"{head}-{named}" if named and not of_suit else refuse_entry(key, text, CALL_EXPECTED)
    head, _, tail = call.partition(" ")
    if head == "lowest":
        rank = ALPHABETS[alphabet][1].get(tail.upper())
        return f"lowest {rank}" if rank and rank != "?" else refuse_entry(key, text, CALL_EXPECTED)
    try:
        return contract_text(read_contract(key, call, alphabet, of))
    except Problem as problem:
        if problem.rule == "unknown-contract":
            known = (*CALLS, *usual_words()["calls"], *contract_names(of))
            hint = hint_of([call], known) or hint_of(call.split(), known)
            refuse_entry(
                key, text, message("notation.call-or", call=CALL_EXPECTED, hint=hint) if hint else CALL_EXPECTED
            )
        raise


def canonical_call(text: str) -> str:
    """Return a call in lower case, in the words of the format if it has usual ones: `Ist recht` is `good`."""
    call = " ".join(text.casefold().translate(SIGNS_OF_SPEECH).strip(" .!?").split())
    for written, umlaut in UMLAUTS.items():
        call = call.replace(written, umlaut)
    if call in usual_words()["calls"] and call not in CALLS:
        return str(usual_words()["calls"][call])
    for beginning, meaning in usual_words()["call-beginnings"].items():
        if call.startswith(f"{beginning} "):
            return f"{meaning}{call.removeprefix(beginning).strip()}"
    return call


# --- doublings ------------------------------------------------------------------------------------------------------


def read_doubling(text: str) -> str | None:
    """Return the word of a doubling, `kontra`, `re` or `double`, from a usual one; None if it is none."""
    doubles: dict[str, str] = usual_words()["doubles"]
    return doubles.get("".join(split_words(text)))
