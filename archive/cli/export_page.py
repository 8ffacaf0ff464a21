"""`schafkopf export --html`: a deal or a session as one file, as the viewer makes it."""

from pathlib import Path
from urllib.parse import urlencode

import click
from click.core import ParameterSource
from msgspec import Struct

from archive.cli.language import wrong_use

NOT_OF_PAGES = ("kind", "reader")


class PageOf(Struct, frozen=True):
    """The deal or session of a page: a deal, as it stood at some time or today, or a session; and its language."""

    deal: int | None
    session: int | None
    as_of: str | None
    language: str


def check_page(context: click.Context, asked: PageOf, as_page: bool) -> None:
    """Refuse, by a UsageError, words that ask for no page, or for more than one thing."""
    if not as_page:
        raise wrong_use("deal-of-html")
    if (asked.deal is None) == (asked.session is None):
        raise wrong_use("html-what")
    if asked.session is not None and asked.as_of is not None:
        raise wrong_use("html-today")
    if any(context.get_parameter_source(name) is not ParameterSource.DEFAULT for name in NOT_OF_PAGES):
        raise wrong_use("html-alone")


def page_file(path: Path, asked: PageOf) -> bytes:
    """Return the file, of the archive at a path. Raises UsageError if a stranger may not see what is asked for."""
    from archive.web.app import create_app  # here, since no other kind of file needs the viewer

    kind, number = ("sessions", asked.session) if asked.deal is None else ("deals", asked.deal)
    choice = {"lang": asked.language} | ({"as-of": asked.as_of} if asked.as_of else {})
    answer = create_app(path).test_client().get(f"/{kind}/{number}.html?{urlencode(choice)}")
    if answer.status_code != 200:
        raise wrong_use("html-hidden")
    return bytes(answer.data)
