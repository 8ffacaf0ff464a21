"""Pages of the list of games that a search on sauspiel.de gives, pages of single games among them."""

from importers.sauspiel.game_page import read as read
from importers.sauspiel.list_items import ITEM
from importers.text import as_utf8

NAME = "sauspiel-list"


def matches(name: str, head: bytes) -> bool:
    """Return whether the file is an HTML page with games of the site's list."""
    head = as_utf8(head)
    return head.lstrip().startswith(b"<") and ITEM.encode() in head and b"/spiele/" in head
