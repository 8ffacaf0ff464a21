"""`/docs/` in the application: the pages of the documentation, the search in them, the files that they name."""

import mimetypes
import re

from flask import Flask, abort, redirect, render_template, request, send_file, url_for
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from archive.resources import documents_dir
from archive.web.manual import pages
from archive.web.request import request_texts

TEXT = "text/plain; charset=utf-8"  # for files that a browser would save instead of showing
SHOWN = ("image/png",)
DOCUMENT = re.compile(r"docs/([\w/.-]+)\.md")
LINK = re.compile(rf'(href|src)="({pages.PAGE_LINK}|{pages.FILE_LINK})([^"#]*)(#[^"]*)?"')


def setup(app: Flask) -> None:
    app.add_template_filter(with_document_links)

    @app.get("/docs/", endpoint="manual_home")
    def manual_home() -> str:
        t = request_texts()
        if asked := request.args.get("q", "").strip():
            return render_template(
                "manual/found.html", asked_for=asked, found=pages.search(asked), parts=parts(t["lang"])
            )
        return page_of(pages.in_language(pages.HOME, t["lang"]))

    @app.get("/docs/<path:name>/", endpoint="manual")
    def manual(name: str) -> str | AnyResponse:
        known = pages.page_named(name)
        if known is None:
            abort(404, request_texts()["man_none"].format(name=name))
        return page_of(known) if known == name else redirect(url_for("manual", name=known))

    @app.get("/docs/file/<path:path>", endpoint="manual_file")
    def manual_file(path: str) -> AnyResponse:
        if path not in pages.linked_files():
            abort(404)
        kind = mimetypes.guess_type(path)[0]
        return send_file(documents_dir() / path, mimetype=kind if kind in SHOWN else TEXT, max_age=0)


def page_of(name: str) -> str:
    """Return a page by its name, with the contents beside it."""
    t = request_texts()
    other = next((each for each in (pages.in_language(name, "de"), name.removesuffix(".de")) if each != name), None)

    # a link to no page and no existing file becomes its words
    def address(match: re.Match[str]) -> str:
        key, kind, name, anchor = match.groups()
        if kind == pages.FILE_LINK:
            return f'{key}="{escape(url_for("manual_file", path=name))}"' if name in pages.linked_files() else ""
        return f'{key}="{escape(url_for("manual", name=name))}{anchor or ""}"'

    return render_template(
        "manual/page.html",
        name_shown=name,
        title=pages.page_title(name),
        html=LINK.sub(address, pages.page_html(name)),
        parts=parts(t["lang"]),
        other=(other, "de" if other.endswith(".de") else "en") if other else None,
        language="de" if name.endswith(".de") else "en",
    )


def with_document_links(text: str) -> Markup:
    """Return a text in which a page of the documentation, `docs/typing.md`, is a link to it."""

    def link(match: re.Match[str]) -> str:
        to = escape(url_for("manual", name=match[1]))
        return f'<a href="{to}">{match[0]}</a>' if pages.page_named(match[1]) else match[0]

    return Markup(DOCUMENT.sub(link, escape(text)))


def parts(language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the contents for a reader: the title of each part, the name and title of each page; of a page in two
    languages the reader's."""
    shown: list[tuple[str, list[tuple[str, str]]]] = []
    for part in pages.contents():
        names = dict.fromkeys(pages.in_language(name.removesuffix(".de"), language) for name in part.pages)
        shown.append((part.titles.get(language, part.titles["en"]), [(name, pages.page_title(name)) for name in names]))
    return shown
