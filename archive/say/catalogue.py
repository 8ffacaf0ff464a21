"""The catalogue of sentences: a folder for each language, a file for each room of the house, a row for each message.

A row is a text with fields: `{card}` is the fact `card`. Behind a colon stands how it is shown: `{hand:cards}` as on
the faces of the table's pack, `{players:and}` and `{contracts:or}` with that word before the last of several,
`{values:either}` with "or" between all of them, `{reasons:;}` with semicolons, `{n:card|cards}` the form of a word that
the number asks for, `{rank:rank}` a rank as it stands on those faces, `{entry:quoted}` in quotation marks,
`{why:sentence}` with a capital and a full stop, `{hint:if-any}` nothing where the fact is not there. A fact that is a
message is said in its turn. `language.toml` has the rule of the plural and the words between the parts of a list.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path
from string import Formatter

from archive.cards import in_faces
from archive.say.message import Fact, Message

FOLDER = Path(__file__).parent
LANGUAGES = tuple(sorted((path.parent.name for path in FOLDER.glob("*/language.toml")), key=lambda name: name != "en"))

Part = tuple[str, str, str]  # a literal, the field behind it, how that is shown; the last field is empty


@cache
def rows(language: str) -> Mapping[str, str]:
    """Every text of a language, by id."""
    texts: dict[str, str] = {}
    for path in sorted((FOLDER / language).glob("*.toml")):
        for key, text in tomllib.loads(path.read_text("utf-8")).items():
            texts[f"{path.stem}.{key}"] = text
    return texts


def ids() -> tuple[str, ...]:
    """The ids of all messages."""
    return tuple(rows("en"))


def has_text(id: str) -> bool:
    """True where the catalogue has a message of this id."""
    return id in rows("en")


@cache
def plural_rule(language: str) -> Callable[[int], int]:
    """Which form of a word a number asks for, counted from 0; the rule is written as gettext writes it."""
    rule: Callable[[int], int] = c2py(rows(language)["language.plural"])
    return rule


@cache
def split_text(text: str) -> tuple[Part, ...]:
    """A text in pieces: literals, and the fields behind them."""
    return tuple((literal, field or "", shown or "") for literal, field, shown, _ in Formatter().parse(text))


def say(what: Message | str, language: str = "en", faces: str = "german") -> str:
    """A message as a text of the language, its cards on the faces of a pack; a text of a record stays as it is.

    Raises KeyError where the catalogue has no such message, or a fact is missing: both are mistakes of ours.
    """
    if isinstance(what, str):
        return what
    return fill(rows(language)[what.id], what.facts, language, faces)


def fill(text: str, facts: Mapping[str, Fact], language: str = "en", faces: str = "german") -> str:
    """A text of ours with its fields filled; raises KeyError where a fact is missing."""
    return "".join(
        literal
        + (_fact(facts.get(field, "") if shown == "if-any" else facts[field], shown, language, faces) if field else "")
        for literal, field, shown in split_text(text)
    )


def _fact(fact: Fact, shown: str, language: str, faces: str) -> str:
    if "|" in shown:
        forms = shown.split("|")
        return forms[min(plural_rule(language)(abs(int(fact))), len(forms) - 1)]
    if isinstance(fact, list | tuple):
        return _list(
            [_fact(part, "cards" if shown == "cards" else "", language, faces) for part in fact], shown, language
        )
    if isinstance(fact, Message):
        text = say(fact, language, faces)
        return sentence(text) if shown == "sentence" else text
    if fact is None or isinstance(fact, bool):
        return rows(language)["language.unknown" if fact is None else "language.yes" if fact else "language.no"]
    if shown == "rank":
        return in_faces(f"the {fact}", faces).removeprefix("the ")
    text = in_faces(str(fact), faces) if shown == "cards" else str(fact)
    return repr(text) if shown == "quoted" else text


def _list(texts: list[str], shown: str, language: str) -> str:
    words = rows(language)
    if shown == "either":
        return f" {words['language.or']} ".join(texts)
    if shown in ("and", "or") and len(texts) > 1:
        return f"{', '.join(texts[:-1])} {words[f'language.{shown}']} {texts[-1]}"
    return ("; " if shown == ";" else ", ").join(texts) or words["language.nobody"]


def outline(id: str, language: str = "en") -> str:
    """The text of a message with … for each of its facts."""
    return "".join(literal + ("…" if field else "") for literal, field, _ in split_text(rows(language)[id]))


def sentence(text: str) -> str:
    """A text with a capital at its beginning and a full stop at its end."""
    return f"{text[:1].upper()}{text[1:]}."


def to_plain(value: Fact) -> Fact:
    """A fact, or a message with all its facts, as plain JSON values; `from_plain` reads it again."""
    if isinstance(value, Message):
        return {"id": value.id, "facts": {key: to_plain(fact) for key, fact in value.facts.items()}}
    return [to_plain(part) for part in value] if isinstance(value, list | tuple) else value


def from_plain(value: Fact) -> Fact:
    """A fact or message again from the JSON values of `to_plain`."""
    if isinstance(value, dict):
        return Message(value["id"], {key: from_plain(fact) for key, fact in value["facts"].items()})
    return tuple(from_plain(part) for part in value) if isinstance(value, list) else value
