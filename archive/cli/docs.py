"""`schafkopf docs`: the documentation, from the package, without a network."""

from difflib import get_close_matches

import click

from archive.cli.language import LANG, wrong_use
from archive.say import message


@click.command()
@click.argument("page", metavar="[PAGE]", required=False)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8002, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--open", "opens", is_flag=True, help="Open it in the browser.")
@LANG
def docs(page: str | None, host: str, port: int, opens: bool, language: str) -> None:
    """Serve the documentation, which is part of the program: no network is needed.

    PAGE is what to begin with: a page (record-format), a finding (unknown-key), a ruleset (pub).
    """
    from archive.web.manual.pages import known_names, place_of  # here, since `docs --help` need not wait for a server
    from archive.web.manual.serve import serve_manual

    place = "" if page is None else place_of(page, language)
    if place is None:
        close = get_close_matches(str(page), known_names(), 1)
        raise wrong_use("no-page", page=page, near=message("use.near-page", page=close[0]) if close else "")
    asked = f"?lang={language}" if language != "en" else ""
    path, hash, anchor = place.partition("#")
    serve_manual(host, port, f"{path}{asked}{hash}{anchor}", language, click.launch if opens else None)
