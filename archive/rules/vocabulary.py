"""The words of `game` entries, as the rulesets have them. Those of the rulesets that come with the archive stand in
`vocabulary.json`, which `pytest --update` writes (`tests/rules/test_rulesets.py`)."""

from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from archive.cards import SUITS
from archive.rules.load import bundled_files, installed_files, load_file
from archive.rules.types import Contract
from archive.rules.written_names import usual_words

WRITTEN = Path(__file__).with_name("vocabulary.json")


class Vocabulary(Struct, frozen=True):
    """The meanings of the words of a `game` entry, from all installed rulesets. Words are in lower case."""

    names: dict[str, str]  # usual name -> contract id
    suits: dict[str, str]  # suit word -> suit letter
    nicknames: dict[str, tuple[str, str]]  # name of a called card -> contract id, suit letter
    takes: dict[str, str]  # contract id -> none, trump, called
    with_suit: dict[str, str]  # contract id -> the contract it becomes with a suit
    called: dict[str, str]  # contract id -> rank letter of the called card
    trumps: dict[str, int]  # contract id -> how many trumps it has, if these are all cards of its lords
    declarer: dict[str, bool]


@lru_cache(maxsize=64)
def vocabulary(own: Path | None = None) -> Vocabulary:
    """Return the words for reading `game` entries: of all installed rulesets, and the one at the absolute path
    `own`."""
    added = [path for name, path in installed_files().items() if name not in bundled_files()]
    return with_words_of(of_bundled(), [*added, *([own] if own else [])])


@cache
def of_bundled() -> Vocabulary:
    """Return the words of the rulesets that come with the archive, as written in `vocabulary.json`: reading all
    rulesets for them took a third of the time of a check."""
    return msgspec.json.decode(WRITTEN.read_bytes(), type=Vocabulary)


def with_words_of(known: Vocabulary, paths: Iterable[Path]) -> Vocabulary:
    """Return the known words with those of rulesets; if two have the same name or contract, the first counts."""
    rows: dict[str, Contract] = {}
    names = known.names
    for path in paths:
        ruleset, _ = load_file(path)
        if ruleset is not None:
            rows = {name: row for name, row in ruleset.contracts.items() if name not in known.takes} | rows
            names = {n.lower(): row.id for row in ruleset.contracts.values() for n in (row.id, *row.names)} | names
    nicknames = {n.lower(): (row.id, suit) for row in rows.values() for n, suit in row.nicknames.items()}
    trumps = {row.id: len(SUITS) * len(row.lords) for row in rows.values() if row.lords and not row.trump}
    return Vocabulary(
        names=names,
        suits=usual_words().suits,
        nicknames=nicknames | known.nicknames,
        takes={row.id: row.takes for row in rows.values()} | known.takes,
        with_suit={row.id: row.with_suit for row in rows.values() if row.with_suit} | known.with_suit,
        called={row.id: row.called for row in rows.values() if row.called} | known.called,
        trumps=trumps | known.trumps,
        declarer={row.id: row.declarer for row in rows.values()} | known.declarer,
    )
