"""The choices of a reader: pack, look, theme and language. Every value is a link to the same page."""

from collections.abc import Mapping
from urllib.parse import quote, urlencode

from flask import g, request, url_for

from archive.cards import faces_in
from archive.say.catalogue import rows
from archive.text.wording import Texts
from archive.web.card_sprites import sprite_file
from archive.web.menu import Choice
from archive.web.queries import Facts
from archive.web.request import CHOICES, reader_choices, request_texts

PACK = CHOICES["cards"][0]  # of a page without a table
# The words of each group: its title, its default, the values in order.
WORDS = {
    "cards": ("choose_cards", "cards_own", "cards_german", "cards_french"),
    "look": ("choose_look", "look_pictures", "look_four", "look_letters"),
    "theme": ("choose_theme", "theme_own", "theme_light", "theme_dark"),
}


def language_group(t: Texts) -> Facts:
    """Return the languages; that of the page is the current one, whether chosen or not."""
    names = {value: rows(value)["language.name"] for value in CHOICES["lang"]}
    return _group("lang", t["choose_lang"], names, t["lang"])


def choice_groups(t: Texts) -> list[Facts]:
    """Return all choices other than the language. Each leads to this page, with everything else in its address."""
    chosen = reader_choices()
    return [
        _group(
            key, t[title], dict(zip(("", *CHOICES[key]), map(t.__getitem__, words), strict=True)), chosen.get(key, "")
        )
        for key, (title, *words) in WORDS.items()
    ]


def data_address(page: str = "") -> str:
    """Return the address of a page of Datasette's, `/players/1`, or of all, with the choices that apply there too."""
    chosen = {f"_{key}": value for key, value in reader_choices().items() if key in ("lang", "theme")}
    return f"{request.script_root}/data{page}{f'?{urlencode(chosen)}' if chosen else ''}"


def _group(key: str, title: str, texts: Mapping[str, str], current: str) -> Facts:
    """Return values of which one is in force."""
    choices = [Choice(value, text, _with(key, value), value == current) for value, text in texts.items()]
    return {"key": key, "title": title, "choices": choices}


def _with(key: str, value: str) -> str:
    """Return the address of this request with another choice; every parameter that is not a choice stays, however often
    it is given."""
    pairs = [(name, text) for name, text in request.args.items(multi=True) if name != key]
    query = urlencode([*pairs, *([(key, value)] if value else [])])
    return f"{quote(request.script_root + request.path)}{f'?{query}' if query else ''}"


def sprite_address(faces: str = "") -> str:
    """Return the address of the drawn cards: of a pack or of the chosen one, in the chosen look."""
    addresses = g.setdefault("sprites", {})  # each card of a page needs it
    if faces not in addresses:
        chosen = reader_choices()
        pack = faces_in(faces or chosen.get("cards", PACK), request_texts()["lang"])
        file = sprite_file(pack, chosen.get("look", ""))
        addresses[faces] = url_for("static", filename=file)
    address: str = addresses[faces]
    return address
