"""The menu of every page: the pages of the viewer and their addresses; a value that a reader can choose there."""

from msgspec import Struct


class Entry(Struct, frozen=True):
    """A page of the menu: its endpoint, its word, its address; whether only servers that can write have it."""

    endpoint: str
    word: str
    address: str
    of_writing: bool = False


class Choice(Struct, frozen=True):
    """A value that a reader can choose, `value` empty for the default; `to` is its address."""

    value: str
    text: str
    to: str
    current: bool


MENU = (
    Entry("home", "nav_search", "/"),
    Entry("sessions", "sessions", "/sessions"),
    Entry("evenings", "ev_nav", "/evenings", of_writing=True),
    Entry("players", "nav_players", "/players"),
    Entry("findings", "findings", "/findings"),
    Entry("stats", "nav_stats", "/stats"),
    Entry("rulesets", "rules_title", "/rulesets"),
    Entry("check", "nav_check", "/check"),
    Entry("price", "nav_price", "/price"),
)
READ = tuple(entry for entry in MENU if not entry.of_writing)
