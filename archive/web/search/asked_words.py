"""A search in a line of words, such as `Anna solo lost` or `Anna Solo verloren`. The archive decides which words are
names, contracts, results, days and evenings."""

import sqlite3
from collections.abc import Mapping, Sequence

from archive.cards import NAMES
from archive.record.days import parse_day
from archive.say import LANGUAGES
from archive.text.deal_row import title_of_contract_id
from archive.web.search.queries import played_contracts
from archive.web.texts import TEXTS

# Words that a person says, by the filter and the value that they ask for: keys of texts of every language.
WORDS = {
    ("result", "won"): ("won",),
    ("result", "lost"): ("lost",),
    ("level", "schwarz"): ("schwarz",),
    ("level", "schneider"): ("q_schneider", "schneider"),
    ("doubled", "kontra"): ("q_kontra",),
    ("verdict", "look"): ("q_look",),
    ("verdict", "differs"): ("differs",),
    ("verdict", "undecidable"): ("undecidable",),
    ("verdict", "unplayable"): ("unplayable",),
}
LONGEST_NUMBER = 18  # digits
CALLED = ("sauspiel", "rufspiel")  # two names of one contract


def words_of_filters() -> dict[str, tuple[str, str]]:
    """Return the filter and the value that a word asks for, in every language."""
    known = {
        TEXTS[language][key].casefold(): given
        for given, keys in WORDS.items()
        for key in keys
        for language in LANGUAGES
        if key in TEXTS[language]
    }
    suits = {name.casefold(): ("suit", suit) for faces in NAMES.values() for suit, name in faces[0].items()}
    return known | suits


def words_of_contracts(conn: sqlite3.Connection) -> dict[str, str]:
    """Return the contracts that were played, by the last word of their titles and by their ids; the most frequent
    first."""
    known: dict[str, str] = {}
    for contract in filter(None, played_contracts(conn)):
        title = title_of_contract_id(contract).casefold()
        for word in (title, contract, *(CALLED if title in CALLED else ())):
            known.setdefault(word, contract)
    return known


def asked_filters(conn: sqlite3.Connection, text: str) -> tuple[dict[str, str], str]:
    """Return the filters that a line of words asks for, and the words that are left: a name, or an event."""
    known, contracts = words_of_filters(), words_of_contracts(conn)
    filters: dict[str, str] = {}
    left = []
    for word in text.split():
        plain = word.casefold().strip(",;")
        key, value = known.get(plain) or (("contract", contracts[plain]) if plain in contracts else ("", ""))
        if day := parse_day(plain) if plain[:1].isdigit() else None:
            filters |= {"since": day, "until": day}
        elif key and key not in filters:
            filters[key] = value
        else:
            left.append(word)
    return filters, " ".join(left)


def with_role(filters: Mapping[str, str], people: Sequence[Mapping[str, object]]) -> dict[str, str]:
    """Return the filters with the player; a player named together with a contract has declared it."""
    if not people:
        return dict(filters)
    alone = {"role": "declarer"} if "contract" in filters else {}
    return {"player": str(people[0]["id"]), **alone, **filters}


def session_named(words: str) -> int | None:
    """Return the number of the session with that title if it has no event, such as `Abend 5`, in any language; None if
    there is none."""
    number = words.rpartition(" ")[2]
    if not (number.isascii() and number.isdecimal() and len(number) < LONGEST_NUMBER):
        return None
    named = {TEXTS[language]["session"].format(number=int(number)).casefold() for language in LANGUAGES}
    return int(number) if words.casefold() in named else None
