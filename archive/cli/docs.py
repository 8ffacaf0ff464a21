"""`schafkopf docs`: the documentation, from the package, without a network."""

from difflib import get_close_matches

import click

from archive.cli.archive_file import report_archive_errors
from archive.cli.language import LANG
from archive.resources import site_dir

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
        raise click.UsageError(f"{folder} is not there; python -m mkdocs build -f docs/site/mkdocs.yml makes it")
    from archive.web.manual import addresses, serve_manual  # here, since `docs --help` need not wait for a server

    known = addresses(folder)
    if page is not None and page not in known:
        close = get_close_matches(page, known, 1)
        raise click.UsageError(f"no page {page!r}" + (f"; did you mean {close[0]!r}?" if close else ""))
    start = HOME.get(language, "") if page is None else known[page]
    serve_manual(folder, host, port, start, click.launch if opens else None)
