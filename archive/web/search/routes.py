"""The search of a request in words: its form, and the filters in force with the address of the list without each.
`/search`: the form leads to its list, and so does a line of words such as `Anna solo lost` or `Anna Solo verloren`, of
which the archive decides which are names, contracts, results, days and evenings."""

import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask, redirect, render_template, request, url_for
from msgspec import Struct
from werkzeug.wrappers import Response

from archive.cards import NAMES as SPOKEN
from archive.cards import suit_name
from archive.record.days import parse_day
from archive.say import LANGUAGES
from archive.say.message import nearest
from archive.store import session_row
from archive.text.deal_row import title_of_contract_id
from archive.text.wording import Texts, sentence, session_title, shown_faces, unit_of
from archive.web.queries import Facts, shown_player
from archive.web.request import CHOICES, connection, has_archive, request_texts
from archive.web.search import queries
from archive.web.search.filters import Filters, Search, SearchNote, parse_search, shorten
from archive.web.search.queries import DEALS
from archive.web.texts import TEXTS

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
    values: dict[str, Any] = search.given
    missing = (("player", names.player, "q_no_player"), ("session", names.session, "no_session"))
    unknown = [
        t[text].format(number=search.given[key]) for key, name, text in missing if key in search.given and name is None
    ]
    chips = (
        {
            "title": t[filters[key].title],
            "text": text,
            # and without what means nothing alone
            "without": url_for(endpoint, **{k: v for k, v in values.items() if k != key and filters[k].needs != key}),
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
        text = row.options[value].text
        return suit_name(text, shown_faces(t["faces"], t)) or t[text]
    named = {
        "session": names.session,
        "contract": contract_words(value, t),
        "rules": names.rulesets.get(value),
        "unit": unit_of(value, t),
        "runners": runners_words(value, t),
    }
    return shorten(named.get(key) or value)


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
        faces, options = shown_faces(t["faces"], t), filters[key].options
        texts = {option: suit_name(row.text, faces) or t[row.text] for option, row in options.items()}
    if value and value not in texts:
        texts[value] = runners_words(value, t) if key == "runners" else shorten(value)
    choices = tuple((option, sentence(text), option == value) for option, text in texts.items())
    return choices if key == "role" else (("", t["q_any"], not value), *choices)


NAMES = 300  # players up to which the form offers every name
OFFERED = 50  # players of a name to choose from
PAGED = {*CHOICES, "start"}  # keys of an address that are no filter


def setup(app: Flask) -> None:
    @app.get("/search")
    def find() -> Response | str:
        """Lead from the form of a search to an address without empty values, and with the number of the player of that
        name."""
        if "q" in request.args:
            return _answer_line(" ".join(request.args["q"].split())[:200])
        of, filters = ("findings", queries.FINDINGS) if request.args.get("of-findings") else ("home", queries.DEALS)
        name = " ".join(request.args.get("name", "").split())
        values: dict[str, Any] = {key: text for key, text in request.args.items() if key in filters and text.strip()}
        values.pop("player", None)
        people = queries.find_players_by_name(connection(), name) if name and has_archive() else []
        if name and len(people) != 1:
            return _players_found(name, people, values, of)
        for person in people:
            values["player"] = person["id"]
        if values.get("role") == "table":  # where everybody is
            del values["role"]
        order = (key for key in filters if key in values)
        return redirect(url_for(of, **{key: values[key] for key in order}))


def _answer_line(text: str) -> Response | str:
    """Lead from a line of words to the page of a player if it only names one, to the evenings that it only names, or to
    the deals that it describes."""
    if not text or not has_archive():
        return redirect(url_for("home"))
    if (session := session_named(text)) is not None and session_row(connection(), session):
        return redirect(url_for("session", number=session))
    asked, left = asked_filters(connection(), text)
    filters: dict[str, Any] = dict(asked.items())
    people = queries.find_players_by_name(connection(), left) if left else []
    if len(people) == 1 and not filters:
        return redirect(url_for("player", number=people[0]["id"]))
    if left and not people and queries.is_event(connection(), left):
        return redirect(url_for("home", **filters, event=left) if filters else url_for("sessions", event=left))
    if left and len(people) != 1:
        return _players_found(left, people, with_role(filters, []))
    chosen: dict[str, Any] = with_role(filters, people)
    return redirect(url_for("home", **{key: chosen[key] for key in queries.DEALS if key in chosen}))


def _players_found(name: str, people: list[Facts], kept: dict[str, Any], of: str = "home") -> str:
    """Return the page of the players of a name, of whom one is to be chosen; if nobody has it, of the nearest one."""
    near = nearest(name, queries.all_player_names(connection(), NAMES)) if has_archive() and not people else None
    others = queries.find_players_by_name(connection(), near) if near else people[:OFFERED]
    return render_template(
        "search/players_found.html", name=shorten(name), near=near, people=others, count=len(people), kept=kept, of=of
    )


def request_search(filters: Filters = queries.DEALS) -> Search:
    """Return the search of this request."""
    search = parse_search(((key, text) for key, text in request.args.items(multi=True) if key not in PAGED), filters)
    start = request.args.get("start", "0")
    ill = [] if start.isascii() and start.isdecimal() else [SearchNote("q_wrong_start", "start", start)]
    return Search(search.given, (*search.notes, *ill))


def search_names(search: Search) -> SearchNames:
    """Return the names behind the numbers of a search."""
    values = search.given
    player = shown_player(connection(), int(values["player"])) if "player" in values else None
    session = session_row(connection(), int(values["session"])) if "session" in values else None
    return SearchNames(
        player=player[1] if player else None,
        session=session_title(session["event"], session["id"], request_texts()) if session else None,
        contracts=queries.played_contracts(connection()),
        rulesets=queries.ruleset_titles(connection(), request_texts()["lang"]),
    )


def search_of_list(text: str) -> Search:
    """Return the search of a list that an address names; an empty one if any of it is ill-formed."""
    try:
        search = parse_search(parse_qsl(text, keep_blank_values=True, max_num_fields=len(queries.DEALS)), queries.DEALS)
    except ValueError:  # too many
        return Search()
    return Search() if search.notes else search


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
LONGEST_TITLE = 3  # words
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
    suits = {name.casefold(): ("suit", suit) for faces in SPOKEN.values() for suit, name in faces[0].items()}
    return known | suits


def asked_filters(conn: sqlite3.Connection, text: str) -> tuple[dict[str, str], str]:
    """Return the filters that a line of words asks for, and the words that are left: a name, or an event."""
    known, contracts = words_of_filters(), dict[str, str]()
    for contract in filter(None, queries.played_contracts(conn)):  # by title and id; the most frequent first
        titles = {title_of_contract_id(contract, language=language).casefold() for language in LANGUAGES}
        for words in (*titles, contract, *(CALLED if titles & {*CALLED} else ())):
            contracts.setdefault(words, contract)
    filters: dict[str, str] = {}
    left = []
    for word in split_words(text, known | contracts):
        plain = word.casefold().strip(",;")
        key, value = known.get(plain) or (("contract", contracts[plain]) if plain in contracts else ("", ""))
        if day := parse_day(plain) if plain[:1].isdigit() else None:
            filters |= {"since": day, "until": day}
        elif key and key not in filters:
            filters[key] = value
        else:
            left.append(word)
    return filters, " ".join(left)


def split_words(text: str, titles: Container[str]) -> Iterator[str]:
    """Yield the words of a line, those of a filter or title of several words as one."""
    words = text.split()
    while words:
        sizes = range(min(LONGEST_TITLE, len(words)), 1, -1)
        size = next((size for size in sizes if " ".join(words[:size]).casefold().strip(",;") in titles), 1)
        yield " ".join(words[:size])
        del words[:size]


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
