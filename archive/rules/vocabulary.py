"""The words of `game` entries, as the rulesets have them."""

from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from archive.cards import SUITS
from archive.rules.load import installed_files, load_file
from archive.rules.types import Contract
from archive.rules.written_names import usual_words


class Vocabulary(Struct, frozen=True):
    """The meanings of the words of a `game` entry, from all installed rulesets. Words are in lower case."""

    names: dict[str, str]  # usual name -> contract id
    suits: dict[str, str]  # suit word -> suit letter
    nicknames: dict[str, tuple[str, str]]  # name of a called card -> contract id, suit letter
    takes: dict[str, str]  # contract id -> none, trump, called
    with_suit: dict[str, str]  # contract id -> the contract it becomes with a suit
    called: dict[str, str]  # contract id -> rank letter of the called card
    trumps: dict[str, int]  # contract id -> how many trumps it has, where these are all cards of its lords
    declarer: dict[str, bool]


@lru_cache(maxsize=64)
def vocabulary(own: Path | None = None) -> Vocabulary:
    """The words of all installed rulesets, and of that at `own`, an absolute path, for reading `game` entries."""
    rows: dict[str, Contract] = {}
    names: dict[str, str] = {}
    for path in (*installed_files().values(), *([own] if own else [])):
        ruleset, _ = load_file(path)
        if ruleset is not None:
            rows = ruleset.contracts | rows
            names = {n.lower(): row.id for row in ruleset.contracts.values() for n in (row.id, *row.names)} | names
    return Vocabulary(
        names=names,
        suits=usual_words().suits,
        nicknames={n.lower(): (row.id, suit) for row in rows.values() for n, suit in row.nicknames.items()},
        takes={row.id: row.takes for row in rows.values()},
        with_suit={row.id: row.with_suit for row in rows.values() if row.with_suit},
        called={row.id: row.called for row in rows.values() if row.called},
        trumps={row.id: len(SUITS) * len(row.lords) for row in rows.values() if row.lords and not row.trump},
        declarer={row.id: row.declarer for row in rows.values()},
    )
