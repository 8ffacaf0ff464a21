"""A search in words: its form, and the filters in force with the address of the list without each."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from flask import url_for
from msgspec import Struct

from archive.cards import suit_name
from archive.text.deal_row import title_of_contract_id
from archive.text.wording import Texts, sentence
from archive.web.search.filters import Filters, Search, note_sentences, shortened
from archive.web.search.queries import DEALS, FINDINGS

LONGEST_RUN = 8  # runners that the form offers


class FilterChip(Struct, frozen=True):
    """A filter in force, and the address of the list without it."""

    title: str
    text: str
    without: str


class FieldChoice(Struct, frozen=True):
    value: str
    text: str
    chosen: bool


class FormField(Struct, frozen=True):
    """A filter in a form: with `choices` one of them, else a text. `more`: it is of those that are folded away."""

    key: str
    title: str
    value: str
    choices: tuple[FieldChoice, ...] = ()
    hint: str = ""
    more: bool = True


class SearchNames(Struct, frozen=True):
    """The names behind the numbers of a search: its player and session; the contracts and rulesets that there are."""

    player: str | None = None
    session: str | None = None
    contracts: Sequence[str] = ()
    rulesets: Mapping[str, str] = {}


class SearchForm(Struct, frozen=True):
    """A search as its page shows it."""

    chips: tuple[FilterChip, ...]
    fields: tuple[FormField, ...]
    notes: tuple[str, ...]
    open: bool  # a filter is in force that is folded away


def search_form(search: Search, names: SearchNames, t: Texts, filters: Filters = DEALS) -> SearchForm:
    endpoint = "home" if filters is DEALS else "findings"
    fields = deal_fields(search, names, t) if filters is DEALS else finding_fields(search, names, t)
    missing = (("player", names.player, "q_no_player"), ("session", names.session, "no_session"))
    unknown = [
        t[text].format(number=search.given[key]) for key, name, text in missing if key in search.given and name is None
    ]
    return SearchForm(
        chips=tuple(
            FilterChip(t[filters[key].title], text, url_for(endpoint, **cast("Any", search_without(search, key))))
            for key in search.given
            if (text := filter_words(search, key, names, t, filters))
        ),
        fields=fields,
        notes=(*note_sentences(search.notes, t), *unknown),
        open=any(each.more and each.value for each in fields),
    )


def search_without(search: Search, key: str) -> dict[str, str]:
    """The search without a filter, and without what says nothing alone."""
    gone = {key, *(other for other, row in DEALS.items() if row.needs == key)}
    return {other: value for other, value in search.given.items() if other not in gone}


def filter_words(search: Search, key: str, names: SearchNames, t: Texts, filters: Filters) -> str:
    """The value of a filter, as a chip says it. The role is said with the player."""
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
        "runners": runners_words(value, t),
    }
    return shortened(named.get(key) or value)


def option_words(text: str, t: Texts) -> str:
    return suit_name(text, t["chosen"] or t["faces"]) or t[text]


def contract_words(contract: str, t: Texts) -> str:
    return {"none": t["thrown_in"], "misdeal": t["misdeal"]}.get(contract) or title_of_contract_id(contract)


def runners_words(value: str, t: Texts) -> str:
    """`with 3 or more`."""
    return t["q_without" if value.startswith("-") else "q_with"].format(count=value.removeprefix("-"))


# --- forms ------------------------------------------------------------------------------------------------------------


def deal_fields(search: Search, names: SearchNames, t: Texts) -> tuple[FormField, ...]:
    values = search.given
    runs = [str(sign * count) for sign in (1, -1) for count in range(1, LONGEST_RUN + 1)]
    lists = {
        "contract": [(each, contract_words(each, t)) for each in names.contracts],
        "rules": list(names.rulesets.items()),
        "runners": [(each, runners_words(each, t)) for each in runs],
    }
    texts = {"event": "", "since": t["q_day_hint"], "until": t["q_day_hint"], "note": ""}
    front = ("role", "contract", "result", "verdict")
    order = ("role", "contract", "result", "verdict", "suit", "level", "runners", "doubled", "rules", *texts)
    name = FormField("name", t["q_player"], names.player or "", hint=t["q_name_hint"], more=False)
    return (
        name,
        *(
            FormField(
                key,
                t[DEALS[key].title],
                values.get(key, ""),
                field_choices(search, key, lists.get(key), t, DEALS) if key not in texts else (),
                texts.get(key, ""),
                key not in front,
            )
            for key in order
        ),
    )


def finding_fields(search: Search, names: SearchNames, t: Texts) -> tuple[FormField, ...]:
    name = FormField("name", t["q_player"], names.player or "", hint=t["q_name_hint"], more=False)
    keys = ("severity", "of")
    return (
        *(
            FormField(
                key,
                t[FINDINGS[key].title],
                search.given.get(key, ""),
                field_choices(search, key, None, t, FINDINGS),
                more=False,
            )
            for key in keys
        ),
        name,
    )  # fmt: skip


def field_choices(
    search: Search, key: str, listed: Sequence[tuple[str, str]] | None, t: Texts, filters: Filters
) -> tuple[FieldChoice, ...]:
    """The choices of a filter: those `listed`, else its options; the chosen one stays among them."""
    own, value = filters[key].options, search.given.get(key, "")
    pairs = [*(listed if listed is not None else ((each, option_words(row.text, t)) for each, row in own.items()))]
    if value and value not in dict(pairs):
        pairs.append((value, runners_words(value, t) if key == "runners" else shortened(value)))
    if key == "role":
        return tuple(FieldChoice(each, sentence(text), each == (value or "table")) for each, text in pairs)
    choices = (FieldChoice(each, sentence(text), each == value) for each, text in pairs)
    return (FieldChoice("", t["q_any"], not value), *choices)
