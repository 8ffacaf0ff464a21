"""The entry `game`, and contracts in calls: `CONTRACT [SUIT or CARD] [WORDS]` in the words of the rules."""

from functools import cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import ALPHABETS, other_alphabet, read_card
from archive.notation.problem import Problem, refuse_entry
from archive.record import Game
from archive.rules import Vocabulary, vocabulary
from archive.say import Message, message

WORDS = ("tout", "du", "hand", "open", "muss", "void")
NO_GAME = ("none", "misdeal")
FILLERS = frozenset({"auf", "die", "der", "den", "mit", "von", "the", "on", "with"})
EXPECTED = message("notation.game")


class ContractWords(Struct, frozen=True):
    """How contracts are spoken of: the words of the rules, and what names a contract, word by word, with its id and
    the suit where the name tells it."""

    words: Vocabulary
    phrases: dict[tuple[str, ...], tuple[str, str | None]]


@cache
def contract_words(rules: str | None = None, beside: Path | None = None) -> ContractWords:
    """The words of the bundled rules, and of the ruleset `rules` that may lie in the folder `beside`."""
    words = vocabulary(rules, beside)
    names = {name: (contract, None) for name, contract in words.names.items()}
    return ContractWords(words, {split_words(name): meaning for name, meaning in (names | words.nicknames).items()})


@cache
def first_words() -> frozenset[str]:
    """The words that an entry without a declarer can begin with."""
    usual = contract_words()
    return frozenset(phrase[0] for phrase in usual.phrases) | frozenset(usual.words.suits) | FILLERS | set(NO_GAME)


def split_words(text: str) -> tuple[str, ...]:
    return tuple(text.casefold().replace("-", " ").split())


def is_contract(text: str) -> bool:
    """Whether a text as it stands names a contract (and so cannot name a player)."""
    return split_words(text) in contract_words().phrases


def read_game(key: str, text: str, declarer: int | None, alphabet: str, of: ContractWords) -> Game:
    """The game that is played, from `text` after its declarer. Raises Problem."""
    if text.casefold() in NO_GAME:
        if declarer is not None:
            refuse_entry(key, text, message("notation.game-alone", game=text))
        return Game(text.casefold())
    game = read_contract(key, text, alphabet, of)
    if declarer is not None and not of.words.declarer.get(game.contract, True):
        refuse_entry(key, text, message("notation.no-declarer", game=game.contract))
    return Game(game.contract, declarer, game.suit, game.called, game.words, game.bid)


def read_contract(key: str, text: str, alphabet: str, of: ContractWords) -> Game:
    """A contract with its suit or card and its words, without a declarer. Raises Problem."""
    tokens = split_words(text)
    contract = suit = called = bid = None
    words: set[str] = set()
    place = 0
    while place < len(tokens):
        token = tokens[place]
        length = next((n for n in (3, 2, 1) if tokens[place : place + n] in of.phrases), 0)
        if length and not (token in of.words.suits and _names_another(tokens, place, of)):
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
        elif contract is None:
            raise Problem("unknown-contract", key, text)
        elif token in WORDS and token not in words:
            words.add(token)
        elif token.isascii() and token.isdigit() and len(token) < 10 and bid is None:
            bid = int(token)
        elif called is None and (card := read_card(token, alphabet)):
            called = card
        else:
            _refuse(key, text, token, alphabet)
    if contract is None:
        raise Problem("unknown-contract", key, text)
    game_words_in_order = tuple(word for word in WORDS if word in words)
    return _fit_to_contract(key, text, Game(contract, None, suit, called, game_words_in_order, bid), of)


def _names_another(tokens: tuple[str, ...], place: int, of: ContractWords) -> bool:
    """Whether a contract is named beside this word, which is one's name too: the Kreuz of a Kreuz-Solo is a suit."""
    return any((token,) in of.phrases for at, token in enumerate(tokens) if at != place)


def _fit_to_contract(key: str, text: str, game: Game, of: ContractWords) -> Game:
    """The game, where suit and card are what its contract takes."""
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


def _suit(token: str, alphabet: str, of: ContractWords) -> str | None:
    """The suit that a word or a letter names; the letters are those of the record's cards."""
    if len(token) > 1 and token[1:] != "\ufe0f":
        return of.words.suits.get(token)
    suit = ALPHABETS[alphabet][0].get(token[0].upper())
    return suit if suit != "?" else None


def _refuse(key: str, text: str, token: str, alphabet: str) -> None:
    letter = (a for a in ALPHABETS if len(token) == 1 and _suit(token, a, contract_words()))
    other = other_alphabet(token, alphabet) or next(letter, None)
    if other:
        raise mixed_letters(key, text, token, other, alphabet)
    refuse_entry(key, text, message("notation.game-token", token=token))


def mixed_letters(key: str, text: str, card: str, other: str, alphabet: str) -> Problem:
    """The problem of a card in the letters of another alphabet than the record's."""
    return Problem("mixed-letters", key, text, card=card, other=letters(other), alphabet=letters(alphabet))


def letters(alphabet: str) -> Message:
    """The name of the letters of an alphabet (`german`, `french`, `english`)."""
    return message(f"notation.{alphabet}")


def contract_text(game: Game) -> str:
    """The canonical form of a game without its declarer: `rufspiel E`, `solo H tout`."""
    usual = (game.suit or "") + contract_words().words.called.get(game.contract, "")
    of_suit = game.called if game.called and game.called != usual else game.suit
    words = sorted(game.words, key=lambda word: (word not in WORDS, WORDS.index(word) if word in WORDS else 0))
    bid = None if game.bid is None else str(game.bid)
    return " ".join(part for part in (game.contract, of_suit, *words, bid) if part is not None)


# --- calls ----------------------------------------------------------------------------------------------------------

CALLS = frozenset({"pass", "play", "hold", "good", "mit", "concede", "offer", "accept", "no"})
CALLS |= {"hang", "may-i", "refuse", "take", "timeout"}
CALL_EXPECTED = message("notation.call")


def read_call(key: str, text: str, alphabet: str, of: ContractWords) -> str:
    """One call of the auction in its canonical form. Raises Problem."""
    call = " ".join(text.casefold().split())
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
            refuse_entry(key, text, CALL_EXPECTED)
        raise
