"""The pages of the documentation: read from their Markdown, with their headings, links and sections."""

import re
import tomllib
from functools import cache
from itertools import chain, count
from pathlib import Path

from markdown_it import MarkdownIt
from msgspec import Struct

from archive.record import severities
from archive.resources import documents_dir

HOME = "README"
FOLDERS = {"docs": "", "benchmarks/results": "results/"}  # folders of pages, and how their names begin
OWN = ("README.md", "CHANGELOG.md")  # the pages beside them
PAGE_LINK, FILE_LINK = "page:", "file:"  # how links begin in a page before its addresses are known
HEADING = re.compile(r"#{1,6} (.*)")
TARGET = re.compile(r"\]\(([^)#\s]+)")
LINKED = re.compile(r"\[([^]]*)\]\([^)]*\)")
MARKS = re.compile(r"[`*|]|<[^>]*>")
NO_LETTER = re.compile(r"[^\w\- ]")
# Anything wider than a phone scrolls, by the keyboard too; an empty head cell is a plain cell.
FITTING = {
    "<table>": '<div class="scroll" tabindex="0"><table>',
    "</table>": "</table></div>",
    "<pre>": '<pre tabindex="0">',
    "<th></th>": "<td></td>",
}
MOST_FOUND = 30
AROUND = 90  # letters on each side of a search hit


class Section(Struct, frozen=True):
    """A part of a page: a heading, its anchor, the text below it up to the next."""

    title: str
    anchor: str
    text: str


class Part(Struct, frozen=True):
    """A part of the contents: its title by language, and the names of its pages."""

    titles: dict[str, str]
    pages: tuple[str, ...]


# --- which there are --------------------------------------------------------------------------------------------------


@cache
def page_files() -> dict[str, Path]:
    """Return the files of all pages by name: `typing`, `rules/pub`, `README`, `results/check`."""
    base = documents_dir()
    files = {name.removesuffix(".md"): base / name for name in OWN}
    for folder, prefix in FOLDERS.items():
        root = base / folder
        files |= {
            prefix + path.relative_to(root).as_posix().removesuffix(".md"): path for path in sorted(root.rglob("*.md"))
        }
    return files


@cache
def names_of_files() -> dict[Path, str]:
    """Return the names of all pages by their files."""
    return {path.resolve(): name for name, path in page_files().items()}


@cache
def contents() -> tuple[Part, ...]:
    """Return the parts of the contents; each page is listed in the first that names it."""
    rows = tomllib.loads(Path(__file__).with_name("contents.toml").read_text("utf-8"))["part"]
    named = {name for row in rows for name in row["pages"]}
    others = [name for name in page_files() if name not in named]
    parts = []
    for row in rows:
        every = (
            [each for each in others if each.startswith(name.removesuffix("*"))] if name.endswith("/*") else [name]
            for name in row["pages"]
        )
        parts.append(Part({key: row[key] for key in row if key != "pages"}, tuple(chain.from_iterable(every))))
    return tuple(parts)


def page_named(name: str) -> str | None:
    """Return the page by its name, or by the last part of it: `pub` is `rules/pub`. None if there is none."""
    files = page_files()
    return name if name in files else next((each for each in files if each.rpartition("/")[2] == name), None)


def place_of(name: str, language: str = "en") -> str | None:
    """Return the place of a page, by its name or the last part of it, or of a finding, below `/docs/`: `rules/pub/`,
    `findings/#unknown-key`; the page in the language, if there is one. None if there is neither page nor finding."""
    page = page_named(name)
    if page is not None:
        return f"{in_language(page, language)}/"
    return f"findings/#{name}" if name in severities() else None


def known_names() -> list[str]:
    """Return all names that `place_of` knows."""
    return [*page_files(), *(name.rpartition("/")[2] for name in page_files()), *severities()]


def in_language(name: str, language: str) -> str:
    """Return the page in a language, if it has one: `README.de` for `README`."""
    return own if (own := f"{name}.{language}") in page_files() else name


# --- reading one ------------------------------------------------------------------------------------------------------


@cache
def page_sections(name: str) -> tuple[Section, ...]:
    """Return the sections of a page by its name, the first with its title. Raises KeyError if there is none."""
    text = page_files()[name].read_text("utf-8")
    found: list[tuple[str, list[str]]] = [("", [])]
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        heading = None if fenced else HEADING.match(line)
        if heading:
            found.append((plain_text(heading[1]), []))
        else:
            found[-1][1].append(line)
    anchors = Anchors()
    return tuple(Section(title, anchors.next(title), " ".join(lines)) for title, lines in found if title)


def page_title(name: str) -> str:
    """Return the title of a page by its name. Raises KeyError if there is none."""
    return page_sections(name)[0].title


@cache
def page_html(name: str) -> str:
    """Return a page by its name as HTML, with links that begin with `page:` and `file:`. Raises KeyError if there is
    none."""
    path, anchors = page_files()[name], Anchors()
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = markdown.parse(path.read_text("utf-8"))
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchors.next(plain_text(tokens[at + 1].content)))
        for child in token.children or ():
            for key in ("href", "src"):
                if target := child.attrGet(key):
                    child.attrSet(key, link_in(str(target), path))
    html = markdown.renderer.render(tokens, markdown.options, {})
    for plain, fitting in FITTING.items():
        html = html.replace(plain, fitting)
    return str(html)


class Anchors:
    """The anchors of a page: each heading gets its own, also if two have the same title."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def next(self, title: str) -> str:
        # small letters, a hyphen for each space, no other signs
        slug = NO_LETTER.sub("", title).strip().lower().replace(" ", "-")
        anchor = next(each for each in chain((slug,), (f"{slug}_{n}" for n in count(1))) if each not in self.taken)
        self.taken.add(anchor)
        return anchor


def plain_text(text: str) -> str:
    """Return the words of a line, without its marks."""
    return MARKS.sub("", LINKED.sub(r"\1", text)).strip()


def link_in(target: str, page: Path) -> str:
    """Return a link of a page: into another page as `page:NAME#anchor`, to a file of the project as `file:PATH`, any
    other unchanged."""
    if re.match(r"[a-z]+:|#", target):
        return target
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve()
    if name := names_of_files().get(file):
        return f"{PAGE_LINK}{name}{'#' * bool(anchor)}{anchor}"
    return FILE_LINK + file.relative_to(documents_dir().resolve()).as_posix()


@cache
def linked_files() -> frozenset[str]:
    """Return the files of the project that pages link to, and that a reader may have."""
    base = documents_dir().resolve()
    files = {
        (path.parent / target).resolve()
        for path in page_files().values()
        for target in TARGET.findall(path.read_text("utf-8"))
        if not re.match(r"[a-z]+:", target)
    }
    return frozenset(
        each.relative_to(base).as_posix() for each in files if each.is_relative_to(base) and each.is_file()
    )


# --- search -----------------------------------------------------------------------------------------------------------


def search(text: str) -> list[dict[str, str]]:
    """Return the sections with all words of a text, those with them in their titles first, with the words around the
    hit as `excerpt`."""
    words = text.lower().split()
    found: list[tuple[int, dict[str, str]]] = []
    for name in page_files() if words else ():
        for section in page_sections(name):
            title, body = f"{page_title(name)} {section.title}".lower(), section.text.lower()
            if all(word in title or word in body for word in words):
                weight = sum(
                    10 * (word in section.title.lower()) + 5 * (word in title) + body.count(word) for word in words
                )
                place = min((body.find(word) for word in words if word in body), default=0)
                excerpt = " ".join(plain_text(section.text[max(0, place - AROUND) : place + AROUND]).split())
                hit = {"page": name, "title": page_title(name), "section": section.title, "anchor": section.anchor}
                found.append((weight, hit | {"excerpt": excerpt}))
    found.sort(key=lambda each: -each[0])
    return [each for _, each in found[:MOST_FOUND]]
