"""A saved page: its elements, each with the line of the file in which it begins.

The parser tells no lines, so they are written into the start tags before it sees them. Scripts, styles, comments and
`<wbr>` are left out. A page of hundreds of thousands of tags never closed would take minutes; it is refused."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from archive.record import Finding, Source, finding
from archive.say import Message
from importers.text import on_one_line, shown_text

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

Node: TypeAlias = "LexborNode"
LINE = "data-line"
MOST_WORK = 250_000  # each tag costs four and one for every element open around it; a real page has 100,000 at most
_PART = (  # compiled for pages alone
    r"(?is)<!--.*?(?:-->|\Z)|<wbr\b[^<>]*>|<(?P<raw>script|style)\b.*?(?:</(?P=raw)\s*>|\Z)"
    r"|<(?P<end>/?)(?P<name>[a-z][^\s/<>]*)(?P<rest>(?:\"[^\"<]*\"|'[^'<]*'|[^'\"<>])*+>)?"
)
_ENDS_ITSELF = frozenset(
    "area base br col dd dt embed hr img input li link meta option p source tbody td tfoot th thead tr wbr".split()
)


class Page(NamedTuple):
    """A page, or the part of one that tells a game, with its players and its findings so far."""

    tree: "LexborHTMLParser | Node"
    source: Source
    players: tuple[str, ...]
    findings: list[Finding]

    def report(self, rule: str, node: "Node | None", **facts: Any) -> None:
        """Add a finding, at the line of an element, else where the page begins."""
        line = self.source.line if node is None else line_of(node)
        self.findings.append(finding(rule, replace(self.source, line=line, end_line=None), **facts))

    def refuse(self, node: "Node | None", key: str, entry: str, expected: Message | str) -> None:
        """Add the finding of an entry that cannot be read, with what was expected."""
        self.report("bad-entry", node, key=key, entry=entry, expected=expected)

    def seat(self, name: str) -> int | None:
        return self.players.index(name) if name in self.players else None


def parse_page(text: str, first: int = 1) -> "LexborHTMLParser | None":
    """Return the page in a text whose first line has the number `first`, or None if too many elements are left open."""
    from selectolax.lexbor import LexborHTMLParser  # here, since a sheet is hardly ever a page

    parts = list(_with_line_numbers(text, first))
    return None if parts[-1] is None else LexborHTMLParser("".join(part for part in parts if part))


def _with_line_numbers(text: str, line: int) -> Iterator[str | None]:
    """Yield the text with the line in every start tag, ended by None if reading it would be too much work."""
    counts: Counter[str] = Counter()
    end = deep = work = 0
    for match in re.finditer(_PART, text):
        yield text[end : match.start()]
        line += text.count("\n", end, match.start())
        end = match.end()
        name = (match["name"] or "").lower()
        if name and name not in _ENDS_ITSELF:
            step = 1 if not match["end"] else -1 if counts[name] else 0
            counts[name] += step
            deep += step
        work += 4 + deep
        if work > MOST_WORK:
            yield None
            return
        if name and match["rest"] and not match["end"]:
            yield f'<{match["name"]} {LINE}="{line}"{match["rest"]}'
        elif name:
            yield match[0]
        line += match[0].count("\n")
    yield text[end:]


def line_of(node: Node) -> int:
    """Return the line in which an element begins: its own, else that of the next one around it that has one."""
    at: Node | None = node
    while at is not None:
        if (number := attribute(at, LINE)).isdecimal():
            return int(number)
        at = at.parent
    return 1


def attribute(node: Node, name: str) -> str:
    """Return an attribute's value, empty if there is none."""
    return (node.attributes or {}).get(name) or ""


def classes(node: Node) -> list[str]:
    return attribute(node, "class").split()


def text_of(node: "Node | None") -> str:
    """Return the text of an element with single blanks, as a browser shows it."""
    return on_one_line(shown_text(node.text(separator=" "))) if node is not None else ""
