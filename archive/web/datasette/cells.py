"""Cells of Datasette's pages: cards on the faces of their pack, and links from row to row and to the viewer.

Data that is not a page (JSON, CSV) keeps the letters and numbers of the archive.
"""

import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from markupsafe import Markup, escape

from archive.cards import NAMES, in_faces, is_known, spoken_name, suit_name
from archive.stats import QUESTIONS
from archive.store.views import VIEWS

# --- cards ------------------------------------------------------------------------------------------------------------

# The columns with letters of a record.
CARDS = frozenset({"dealt", "held", "cards", "called", "suit", "call", "code", "counts_as", "trumps"})
FACES = "SELECT r.faces FROM deals d JOIN rulesets r ON r.id = d.ruleset_id WHERE d.id = ?"
HOUSE = "SELECT faces FROM rulesets WHERE id = ?"
ALL = "SELECT DISTINCT coalesce(faces, 'german') FROM rulesets"
KEPT = 5.0  # seconds for which the faces of an archive are remembered
_faces: "WeakKeyDictionary[Any, tuple[float, list[str]]]" = WeakKeyDictionary()

SIGN = '<svg class="sign" viewBox="0 0 32 32" aria-hidden="true"><use href="{to}#{suit}"/></svg>'


async def faces_of(database: Any, table: str | None, row: Any) -> str:
    """Return the faces of the pack that a row is about, german if that is not known."""
    names = row.keys()
    at, every = _faces.get(database, (0.0, []))
    if time.monotonic() - at > KEPT:
        every = [row[0] for row in await database.execute(ALL)]
        _faces[database] = (time.monotonic(), every)
    if every == ["german"]:
        return "german"
    for key, sql in (("id" if table == "deals" else "deal_id", FACES), ("deal", FACES), ("ruleset_id", HOUSE)):
        value = row[key] if key in names else None
        value = value["value"] if isinstance(value, dict) else value  # a foreign key with its label
        if isinstance(value, int):
            house = (await database.execute(sql, (value,))).first()
            return str(house[0] or "german") if house else "german"
    return "german"


def as_cards(text: str, faces: str, sprite: str) -> Markup | None:
    """Return a text of cards as they stand on the faces of the pack, each with its name; None if there is none in
    it."""
    parts = [card_sign(word, faces, sprite) for word in text.split(" ")]
    return Markup(" ").join(parts) if any(isinstance(part, Markup) for part in parts) else None


def card_sign(word: str, faces: str, sprite: str) -> str | Markup:
    """Return `EO` as the sign of acorns with `EO`, with French faces `♣D`; as its name for readers who do not see the
    sign."""
    if is_known(word):
        name = spoken_name(word, faces)
    elif word in NAMES[faces][0]:
        name = suit_name(word, faces)
    else:
        return word
    if faces == "german":
        sign = Markup(SIGN).format(to=sprite, suit=word[0])
        return Markup('<abbr class="card {}" title="{}">{}{}</abbr>').format(word[0], name, sign, word)
    text = in_faces(f"{word}9", faces)[:-1] if len(word) == 1 else in_faces(word, faces)
    return Markup('<abbr class="card {}" title="{}">{}</abbr>').format(word[0], name, text)


# --- links ------------------------------------------------------------------------------------------------------------

DEAL_PAGE = re.compile(r"/deals/[0-9]+")
NAMED = frozenset({"player", "declarer", "partner", "loser", "chalk"})  # columns of views with a name in them
NUMBERED = {"deal": "deals", "first_deal": "deals", "last_deal": "deals", "session": "sessions", "ruling": "rulings"}
PERSONS = frozenset({"player", "partner"})  # columns of questions with the number of a player
KEYS = frozenset({"session_id", "source_id", "deal_id", "ruleset_id", "player_id", "alias_of", "into_id"})
PAGES = {("players", "name"): "/players/{id}", ("sessions", "label"): "/sessions/{id}",
    ("rulesets", "name"): "/rulesets/{name}"}  # fmt: skip


def in_viewer(value: Any, column: str, table: str | None, row: Any, whole: Callable[[str], str] = str) -> Markup | None:
    """Return a cell that leads to a page of the viewer: of a deal by its number or address, a player, a session, a
    ruleset. `whole` puts the base path of the site before an address."""
    if column == "viewer":
        address = f"/deals/{value}" if isinstance(value, int) else str(value)
        link = Markup('<a href="{}">{}</a>')
        return link.format(str(whole(address)), address) if DEAL_PAGE.fullmatch(address) else None
    page = PAGES.get((table or "", column))
    if page is None or value is None or not {"id"} <= set(row.keys()):
        return None
    return Markup('<a href="{}">{}</a>').format(str(whole(page.format(id=row["id"], name=value))), value)


def in_data(value: Any, column: str, table: str | None, urls: Any, database: str) -> Markup | None:
    """Return a cell of a view or an answer that leads to the row it names."""
    if table is not None and table not in VIEWS:
        return None  # a table has its foreign keys
    if isinstance(value, int) and column in NUMBERED:
        to = urls.row(database, NUMBERED[column], str(value))
    elif isinstance(value, int) and column in PERSONS and table in QUESTIONS:
        to = urls.row(database, "players", str(value))
    elif isinstance(value, str) and column in NAMED and table in VIEWS:
        to = f"{urls.table(database, 'players')}?{urlencode({'name__exact': value})}"
    elif isinstance(value, str) and column == "rules" and table in VIEWS:
        to = f"{urls.table(database, 'rulesets')}?{urlencode({'name__exact': value})}"
    else:
        return None
    return Markup('<a href="{}">{}</a>').format(str(to), escape(value))


async def named_row(datasette: Any, database: str, table: str, column: str, value: int) -> Markup | None:
    """Return a foreign key as the page of a single row has it: a link with the label of the row. Datasette itself shows
    it so in tables only."""
    keys = await datasette.get_database(database).foreign_keys_for_table(table)
    other = next((key["other_table"] for key in keys if key["column"] == column), None)
    if other is None:
        return None
    labels = await datasette.expand_foreign_keys(database, table, column, [value])
    label = labels.get((column, value), value)
    to = str(datasette.urls.row(database, other, str(value)))
    own = Markup(" <em>{}</em>").format(value) if label != value else Markup()
    return Markup('<a href="{}">{}</a>').format(to, label) + own
