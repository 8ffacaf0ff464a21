"""`schafkopf audit slips`: the slips in the deals of a recorder, a table, an event, a file or an evening."""

import sqlite3
from collections.abc import Iterator
from textwrap import wrap

import click

from archive.cli.archive_file import DB, check_named, check_session, source_number
from archive.cli.formats import write_page
from archive.cli.known_names import FILE, SESSION
from archive.cli.language import LANG
from archive.cli.options import FORCE, JSON, print_object, refuse_beside_json
from archive.cli.terminal import width, with_pager
from archive.explain import explain
from archive.explain.slips import DealSlip, deal_slip, slips_report
from archive.say import message
from archive.store import load_beside, load_judgement, open_read
from archive.store.audit_list import deals_of, names_of
from archive.text.printed_page import printed_page
from archive.text.slips import SlipsPaper, slips_paper, slips_text
from archive.text.tables import tabulate

PAPER_WORDS = ("kinds", "none", "rests", "players", "players-how", "player", "too-much", "in-deals", "each")


@click.command()
@click.option("--recorder", metavar="NAME", help="Only what this person wrote down.")
@click.option("--table", metavar="NAME", help="Only this table of a tournament.")
@click.option("--event", metavar="NAME", help="Only this event.")
@click.option("--source", metavar="FILE", help="Only what this file of the archive holds.")
@click.option("--session", type=SESSION, help="Only this session.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="An .html page to print instead; - is stdout.")
@FORCE
@JSON
@LANG
@DB
@with_pager
def slips(
    recorder: str | None, table: str | None, event: str | None, source: str | None, session: int | None,
    output: str | None, force: bool, as_json: bool, language: str, db: str,
) -> None:  # fmt: skip
    """Report what went wrong: the kinds of slips, how often each was made, and who had too much by them.

    Of every deal that differs the likeliest explanation is counted, as `audit explain` gives it. Exit status: 0.
    """
    refuse_beside_json(as_json, output and "--output")
    conn = open_read(db)
    check_session(conn, db, session)
    for column, name in (("recorder", recorder), ("table_name", table), ("event", event)):
        if name is not None:
            check_named(name, db, names_of(conn, column))
    named = {"recorder": recorder, "table": table, "event": event, "source": source, "session": session}
    deals = deals_of(conn, named | {"source": None if source is None else source_number(conn, db, source)})
    slips_of_deals = [deal_slips(conn, deal, at) for deal, at, differs in deals if differs]
    given = [message(f"slips.of-{key}", name=str(name)) for key, name in named.items() if name is not None]
    of = message("slips.of", parts=tuple(given)) if given else message("slips.of-all")
    if as_json:
        print_object(slips_report(slips_of_deals, len(deals)))
        return
    paper = slips_paper(slips_of_deals, len(deals), of, language)
    if output:
        words = {key: slips_text(key, language) for key in PAPER_WORDS}
        write_page(output, printed_page("dossier/slips.html", language, paper=paper, words=words), force)
        return
    for line in slips_lines(paper, width(), language):
        click.echo(line)


def deal_slips(conn: sqlite3.Connection, deal: int, session: int) -> DealSlip:
    """Return the slip of a deal of the archive that differs."""
    judgement = load_judgement(conn, deal)
    assert judgement  # its verdict is stored
    return deal_slip(judgement, explain(judgement, load_beside(conn, deal, judgement)), deal, session)


def slips_lines(paper: SlipsPaper, room: int, language: str) -> Iterator[str]:
    """Yield the report in lines of `room` characters at most."""
    yield from (click.style(line, bold=True) for line in wrap(f"{paper.title}: {paper.of}", room))
    yield from wrap(paper.sum, room)
    if not paper.deals:
        return
    yield f"\n{slips_text('kinds', language)}"
    wide = max(len(times) for times, _, _ in paper.kinds) if paper.kinds else 0
    for times, example, deals in paper.kinds:
        yield from wrap(example, room, initial_indent=f"  {times:>{wide}} ", subsequent_indent=" " * (wide + 3))
        yield from wrap(deals, room, initial_indent=" " * (wide + 3), subsequent_indent=" " * (wide + 3))
    yield from wrap(slips_text("rests", language), room, initial_indent="  ", subsequent_indent="  ")
    if paper.players:
        yield f"\n{slips_text('players', language)}"
        head = tuple(slips_text(key, language) for key in ("player", "too-much", "in-deals"))
        yield tabulate(paper.players, head, colalign=("left", "right", "right"), disable_numparse=True)
    yield f"\n{slips_text('each', language)}"
    for deal, says in paper.deals:
        yield from wrap(f"{deal}: {says}", room, initial_indent="  ", subsequent_indent="    ")
