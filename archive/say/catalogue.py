"""The catalogue of sentences: a folder for each language, a file for each room of the house, a row for each message.

A row is a text with fields: `{card}` is the fact `card`. After a colon stands how it is shown: `{hand:cards}` as on the
faces of the table's pack, `{players:and}` and `{contracts:or}` with that word before the last of several,
`{values:either}` with "or" between all of them, `{reasons:;}` with semicolons, `{n:card|cards}` the form of a word that
the number asks for, `{rank:rank}` a rank as it stands on those faces, `{entry:quoted}` in quotation marks,
`{why:sentence}` with a capital and a full stop, `{clause:closed}` with a comma if its own text has one or a colon,
`{hint:if-any}` nothing if the fact is missing. A negative number has a real minus sign, and `{date:day}` is a day in
words. A fact that is a message is said in its turn. `language.toml` has the rule of the plural and the words between
the parts of a list.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from gettext import c2py
from pathlib import Path
from string import Formatter
from typing import Protocol
from unicodedata import bidirectional

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import faces_in, in_faces, named_parts, part_in_faces
from archive.resources import LANGUAGES, read_texts
from archive.say.message import Fact, Message

FIRST, LAST = "\u2068", "\u2069"  # first strong isolate, pop directional isolate
OTHER_WAY = frozenset(("R", "AL", "AN"))  # letters and digits of scripts that are written from the right


def isolate(text: str) -> str:
    """Return the text between isolates if something in it is written from the right; else as it is."""
    if text.isascii() or text.startswith(FIRST) or OTHER_WAY.isdisjoint(map(bidirectional, text)):
        return text
    return f"{FIRST}{text}{LAST}"


DAY = re.compile(r"(?P<year>\d{4})(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>\d\d))?)?", re.ASCII)
FOLDER = Path(__file__).parent
ENDS = (".", "?", "!")  # of a sentence

Part = tuple[str, str, str]  # a literal, the field after it, how that is shown; the last field is empty


class Piece(Struct, frozen=True):
    """A piece of a sentence, as it is written. Its `kind`: a `card` or a `suit`, which `code` names; a whole `fact`; a
    `person`, if the code that shows the sentence knows that a fact is one; empty for words."""

    text: str
    kind: str = ""
    code: str = ""


class Rows(Mapping[str, str]):
    """Every text of a language, by id; those of a room are read when one of them is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rooms: dict[str, dict[str, str]] = {}

    def room(self, name: str) -> dict[str, str]:
        if name not in self.rooms:
            path = self.folder / f"{name}.toml"
            self.rooms[name] = read_texts(path) if path.is_file() else {}
        return self.rooms[name]

    def __getitem__(self, id: str) -> str:
        room, _, key = id.partition(".")
        return (self.rooms.get(room) or self.room(room))[key]

    def __iter__(self) -> Iterator[str]:
        for path in sorted(self.folder.glob("*.toml")):
            yield from (f"{path.stem}.{key}" for key in self.room(path.stem))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@cache
def rows(language: str) -> Rows:
    """Return every text of a language, by id. Raises ValueError for a language that there is not."""
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}: {', '.join(LANGUAGES)}")
    return Rows(FOLDER / language)


def has_text(id: str) -> bool:
    """Return whether the catalogue has a message of this id."""
    return id in rows("en")


def title_in(kind: str, id: str, title: str, language: str) -> str:
    """Return the title of a ruleset (`rules`) or `contract` in a language; one that a table gave stays as it is."""
    key = f"titles.{kind}-{id}"
    return rows(language)[key] if rows("en").get(key) == title else title


@cache
def plural_rule(language: str) -> Callable[[int], int]:
    """Return the function from a number to the form of a word, from 0; its rule is written as in gettext."""
    rule: Callable[[int], int] = c2py(rows(language)["language.plural"])
    return rule


@cache
def split_text(text: str) -> tuple[Part, ...]:
    """Return a text in pieces: literals, and the fields after them."""
    return tuple((literal, field or "", shown or "") for literal, field, shown, _ in Formatter().parse(text))


def say(what: Message | str, language: str = "en", faces: str = "german") -> str:
    """Return a message as a text of the language, its cards on the faces of a pack; a text of a record stays as it is.

    Raise KeyError if the catalogue has no such message, or a fact is missing: both are mistakes of ours.
    """
    return what if isinstance(what, str) else join_pieces(pieces(what, language, faces))


class Sayer(Protocol):
    """A function from a key, a language and facts to a text."""

    def __call__(self, key: str, language: str = "en", /, **facts: Fact) -> str: ...


def make_sayer(beginning: str) -> Sayer:
    """Return a function that says the messages whose ids begin so, each by the rest of its id. It raises KeyError as
    `say` does."""
    return lambda key, language="en", /, **facts: say(Message(f"{beginning}{key}", facts), language)


def pieces(what: Message | str, language: str = "en", faces: str = "german") -> list[Piece]:
    """Return the text of `say`, in the pieces of which it is made."""
    if isinstance(what, str):
        return [Piece(what)]
    texts, facts = rows(language), what.facts
    is_one = "first" in facts and facts["first"] == facts.get("last")
    text = texts.get(f"{what.id}-one", texts[what.id]) if is_one else texts[what.id]
    return _fill(text, facts, language, faces_in(faces, language))


def fill(text: str, facts: Mapping[str, Fact], language: str = "en", faces: str = "german") -> str:
    """Return a text of ours with its fields filled. Raise KeyError if a fact is missing."""
    return join_pieces(_fill(text, facts, language, faces_in(faces, language)))


def join_pieces(parts: Iterable[Piece]) -> str:
    """Return pieces as one text; a fact that is written from the right keeps its direction to itself."""
    return "".join([isolate(part.text) if part.kind == "fact" else part.text for part in parts])


def _fill(text: str, facts: Mapping[str, Fact], language: str, faces: str) -> list[Piece]:
    filled: list[Piece] = []
    for literal, field, shown in split_text(text):
        if literal:
            filled.append(Piece(literal))
        if field:
            filled += _fact(facts.get(field, "") if shown == "if-any" else facts[field], shown, language, faces)
    return filled


def _fact(fact: Fact, shown: str, language: str, faces: str) -> list[Piece]:
    if "|" in shown:
        forms = shown.split("|")
        return [Piece(forms[min(plural_rule(language)(abs(int(fact))), len(forms) - 1)])]
    if isinstance(fact, list | tuple):
        words, listed = rows(language), list[Piece]()
        between = f" {words['language.or']} " if shown == "either" else "; " if shown == ";" else ", "
        last = f" {words[f'language.{shown}']} " if shown in ("and", "or") else between
        for place, part in enumerate(fact):
            listed += [Piece(last if place == len(fact) - 1 else between)] if place else []
            listed += _fact(part, "cards" if shown == "cards" else "", language, faces)
        return listed or ([] if shown == "either" else [Piece(words["language.nobody"])])
    if isinstance(fact, Message):
        parts_of_fact = pieces(fact, language, faces)
        if shown == "closed" and is_parted(fact, language):
            return [*parts_of_fact, Piece(",")]
        return sentence_pieces(parts_of_fact) if shown == "sentence" else parts_of_fact
    if fact is None or isinstance(fact, bool):
        return [
            Piece(rows(language)["language.unknown" if fact is None else "language.yes" if fact else "language.no"])
        ]
    if shown == "rank":
        return [Piece(in_faces(f"the {fact}", faces).removeprefix("the "))]
    if shown == "cards":
        parts = tuple(named_parts(str(fact)))
        whole = "fact" if len(parts) == 1 and not parts[0][1] else ""
        return [Piece(part_in_faces(part, code, faces), _kind(part, code) or whole, code) for part, code in parts]
    if shown == "day":
        return [Piece(day_in_words(str(fact), language), "fact")]
    text = f"−{-fact}" if isinstance(fact, int) and fact < 0 else str(fact)
    return [Piece(repr(text) if shown == "quoted" else text, "" if shown == "quoted" else "fact")]


def day_in_words(text: str, language: str) -> str:
    """Return a year, a month or a day, as `2001-07-09`, in words: `9 July 2001`; any other text as it is."""
    match = DAY.fullmatch(text)
    if match is None or not match["month"]:
        return text
    words = rows(language)
    month = words["language.months"].split()[int(match["month"]) - 1]
    if not match["day"]:
        return f"{month} {match['year']}"
    return words["language.day"].format(day=int(match["day"]), month=month, year=match["year"])


def is_parted(message: Message, language: str) -> bool:
    """Return whether the words of a clause have a comma or a colon, outside of brackets, that another one closes."""
    words = "".join(literal for literal, _, _ in split_text(rows(language)[message.id]))
    inner = [each for each in message.facts.values() if isinstance(each, Message)]
    outside = words.partition("(")[0] + words.rpartition(")")[2] if "(" in words else words
    return any(mark in outside for mark in ",:") or any(is_parted(each, language) for each in inner)


def _kind(part: str, code: str) -> str:
    return "card" if len(code) == 2 else "suit" if code and part != code else ""


def sentence_pieces(parts: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of a sentence with a capital at its beginning, unless that is a person, and a full stop at its
    end, unless a mark ends it."""
    first, *rest = parts or [Piece("")]
    if first.kind != "person":
        first = replace(first, text=f"{first.text[:1].upper()}{first.text[1:]}")
    stop = [] if (rest or [first])[-1].text.endswith(ENDS) else [Piece(".")]
    return [first, *rest, *stop]


def sentence(text: str) -> str:
    """Return a text with a capital at its beginning and a full stop at its end, unless a mark ends it."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(ENDS) else '.'}"


def to_plain(value: Fact) -> Fact:
    """Return a fact, or a message with all its facts, as plain JSON values, which `from_plain` reads again."""
    if isinstance(value, Message):
        return {"id": value.id, "facts": {key: to_plain(fact) for key, fact in value.facts.items()}}
    return [to_plain(part) for part in value] if isinstance(value, list | tuple) else value


def from_plain(value: Fact) -> Fact:
    """Return a fact or message from the JSON values of `to_plain`."""
    if isinstance(value, dict):
        return Message(value["id"], {key: from_plain(fact) for key, fact in value["facts"].items()})
    return tuple(from_plain(part) for part in value) if isinstance(value, list) else value
