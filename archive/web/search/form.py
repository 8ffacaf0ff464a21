"""A search in words: its form, and the filters in force with the address of the list without each."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from flask import url_for
from msgspec import Struct

from archive.cards import suit_name
from archive.text.deal_row import title_of_contract_id
from archive.text.wording import Texts, sentence, shown_faces, unit_of
from archive.web.queries import Facts
from archive.web.search.filters import Filters, Search, shorten
from archive.web.search.queries import DEALS

LONGEST_RUN = 8  # runners that the form offers
# The fields of a form in order; the fields of deals in front, while the others are folded away; and those that
# are a text, with the key of its hint.
DEAL_FIELDS = (
    "name role contract result verdict suit level runners doubled round muss hochzeit bid cut score basis rules event "
    "since until note"
).split()
FINDING_FIELDS = ("severity", "of", "name")
FRONT = ("name", "role", "contract", "result", "verdict", "severity", "of")
TEXT_FIELDS = {"event": "", "bid": "", "cut": "", "since": "q_day_hint", "until": "q_day_hint", "note": ""}


class FormField(Struct, frozen=True):
    """A filter in a form: with `choices` one of them (value, text, whether it is chosen), else a text. `more`: it is
    folded away."""

    key: str
    title: str
    value: str
    choices: tuple[tuple[str, str, bool], ...] = ()
    hint: str = ""
    more: bool = True


class SearchNames(Struct, frozen=True):
    """The names behind the numbers of a search: its player and session; the contracts and rulesets that there are."""

    player: str | None = None
    session: str | None = None
    contracts: Sequence[str] = ()
    rulesets: Mapping[str, str] = {}


def search_form(search: Search, names: SearchNames, t: Texts, filters: Filters = DEALS) -> Facts:
    """Return a search as its page shows it: the filters in force as `chips`, each with the address of the list without
    it, its `fields` and `notes`; `open`: a filter is in force that is folded away."""
    endpoint, order = ("home", DEAL_FIELDS) if filters is DEALS else ("findings", FINDING_FIELDS)
    fields = tuple(form_field(search, key, names, t, filters) for key in order)
    missing = (("player", names.player, "q_no_player"), ("session", names.session, "no_session"))
    unknown = [
        t[text].format(number=search.given[key]) for key, name, text in missing if key in search.given and name is None
    ]
    chips = (
        {
            "title": t[filters[key].title],
            "text": text,
            "without": url_for(endpoint, **cast("Any", search_without(search, key))),
        }
        for key in search.given
        if (text := filter_words(search, key, names, t, filters))
    )
    left_out = (
        t[note.text].format(name=shorten(note.name), value=shorten(note.value), options=", ".join(note.options))
        for note in search.notes
    )
    is_open = any(field.more and field.value for field in fields)
    return {"chips": [*chips], "fields": fields, "notes": (*left_out, *unknown), "open": is_open}


def search_without(search: Search, key: str) -> dict[str, str]:
    """Return the search without a filter, and without what means nothing alone."""
    gone = {key, *(other for other, row in DEALS.items() if row.needs == key)}
    return {other: value for other, value in search.given.items() if other not in gone}


def filter_words(search: Search, key: str, names: SearchNames, t: Texts, filters: Filters) -> str:
    """Return the value of a filter, as a chip words it. The role goes with the player."""
    value, row = search.given[key], filters[key]
    if key == "player":
        role = search.given.get("role")
        name = names.player or value
        return f"{name} ({t[filters['role'].options[role].text]})" if role else name
    if key == "role":
        return ""
    if row.options:
        return option_words(row.options[value].text, t)
    named = {
        "session": names.session,
        "contract": contract_words(value, t),
        "rules": names.rulesets.get(value),
        "unit": unit_of(value, t),
        "runners": runners_words(value, t),
    }
    return shorten(named.get(key) or value)


def option_words(text: str, t: Texts) -> str:
    return suit_name(text, shown_faces(t["faces"], t)) or t[text]


def contract_words(contract: str, t: Texts) -> str:
    return {"none": t["thrown_in"], "misdeal": t["misdeal"]}.get(contract) or title_of_contract_id(
        contract, language=t["lang"]
    )


def runners_words(value: str, t: Texts) -> str:
    """Return so many runners in words, such as `with 3 or more`."""
    return t["q_without" if value.startswith("-") else "q_with"].format(count=value.removeprefix("-"))


# --- forms ------------------------------------------------------------------------------------------------------------


def form_field(search: Search, key: str, names: SearchNames, t: Texts, filters: Filters) -> FormField:
    if key == "name":
        return FormField(key, t["q_player"], names.player or "", hint=t["q_name_hint"], more=False)
    title, value, more = t[filters[key].title], search.given.get(key, ""), key not in FRONT
    if key in TEXT_FIELDS:
        return FormField(key, title, value, hint=t.get(TEXT_FIELDS[key], ""), more=more)
    return FormField(key, title, value, field_choices(search, key, names, t, filters), more=more)


def field_choices(
    search: Search, key: str, names: SearchNames, t: Texts, filters: Filters
) -> tuple[tuple[str, str, bool], ...]:
    """Return the choices of a filter: the values of its kind that exist, else its options; the chosen one stays among
    them."""
    value = search.given.get(key, "table" if key == "role" else "")
    if key == "contract":
        texts = {contract: contract_words(contract, t) for contract in names.contracts}
    elif key == "rules":
        texts = dict(names.rulesets)
    elif key == "runners":
        runs = [str(sign * count) for sign in (1, -1) for count in range(1, LONGEST_RUN + 1)]
        texts = {run: runners_words(run, t) for run in runs}
    else:
        texts = {option: option_words(row.text, t) for option, row in filters[key].options.items()}
    if value and value not in texts:
        texts[value] = runners_words(value, t) if key == "runners" else shorten(value)
    choices = tuple((option, sentence(text), option == value) for option, text in texts.items())
    return choices if key == "role" else (("", t["q_any"], not value), *choices)
