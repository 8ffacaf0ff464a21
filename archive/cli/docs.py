"""`schafkopf docs`: the documentation, from the package, without a network."""

from difflib import get_close_matches

import click

from archive.cli.archive_file import report_archive_errors
from archive.cli.language import LANG, wrong_use
from archive.resources import site_dir
from archive.say import message

HOME = {"de": "docs/README.de/"}  # by language; the root of the site is in English


@click.command()
@click.argument("page", metavar="[PAGE]", required=False)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8002, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--open", "opens", is_flag=True, help="Open it in the browser.")
@LANG
@report_archive_errors
def docs(page: str | None, host: str, port: int, opens: bool, language: str) -> None:
    """Serve the documentation, which is part of the program: no network is needed.

    PAGE is what to begin with: a page (record-format), a finding (unknown-key), a ruleset (pub).
    """
    folder = site_dir()
    if not (folder / "index.html").is_file():
        raise wrong_use("no-manual", folder=folder)
    from archive.web.manual import addresses, serve_manual  # here, since `docs --help` need not wait for a server

    known = addresses(folder)
    if page is not None and page not in known:
        close = get_close_matches(page, known, 1)
        raise wrong_use("no-page", page=page, near=message("use.near-page", page=close[0]) if close else "")
    start = HOME.get(language, "") if page is None else known[page]
    serve_manual(folder, host, port, start, click.launch if opens else None)
