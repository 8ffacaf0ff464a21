"""A page as it is read; a parser of pages that accepts no unclosed element, no id twice, no inline style or script."""

from html.parser import HTMLParser

from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser


def read_page(client: FlaskClient, address: str, status: int = 200) -> LexborHTMLParser:
    """Return the page that is answered with a status."""
    answer = client.get(address)
    assert answer.status_code == status, answer.text
    return LexborHTMLParser(answer.text)


class Strict(HTMLParser):
    """A parser that requires every element closed, no id used twice, and no script or style within a page."""

    VOID = frozenset({"meta", "link", "br", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert "style" not in given
        assert not [name for name in given if name.startswith("on")]
        assert tag != "style"
        assert tag != "script" or given.get("src") or given.get("type") == "application/json"
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if (given.get("href") or "").startswith("#"):
            self.links.append((given["href"] or "")[1:])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag
