"""`schafkopf season`: the report of a year, in the terminal and as one page to print or to send."""

from datetime import date

import click

from archive.cli.archive_file import DB
from archive.cli.formats import write_page
from archive.cli.known_names import EVENT, FILE
from archive.cli.language import LANG, asked_for, wrong_use
from archive.cli.options import FORCE, JSON, print_object, refuse_beside_json
from archive.cli.stats import check_event, open_counted
from archive.cli.terminal import fill_prose, with_pager
from archive.record.days import parse_day
from archive.text.season_report import report_rows, season_html, season_lines, season_report


@click.command()
@click.argument("year", required=False)
@click.option("--until", metavar="DAY", help="The last day, month or year, where the season does not begin in January.")
@click.option("--event", type=EVENT, help="Only sessions of this event.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="An .html page to print instead; - is stdout.")
@FORCE
@JSON
@LANG
@DB
@click.pass_context
@with_pager
def season(
    context: click.Context,
    /,
    year: str | None,
    until: str | None,
    event: str | None,
    output: str | None,
    force: bool,
    as_json: bool,
    language: str,
    db: str,
) -> None:
    """Report a YEAR: who stands where, came how often, which evenings were the best, and the year before.

    YEAR may be a month too, as 2026-03; without it, all evenings. A season from September on is 2025-09 --until
    2026-08. The page is complete in itself: print it on A4, or send it as it is.
    """
    day, last = (parse_day(each) if each else None for each in (year, until))
    for text, read in ((year, day), (until, last)):
        if text and read is None:
            raise wrong_use("no-year", year=text)
    if last and not day:
        raise wrong_use("until-of-year")
    refuse_beside_json(as_json, output and "--output")
    words = asked_for(context) if as_json else language
    conn = open_counted(db)
    check_event(conn, event)
    report = season_report(conn, day, event, words, last)
    if output:
        write_page(output, season_html(report, date.today().isoformat(), language), force)
    elif as_json:
        for each in report_rows(report):
            print_object(each)
    else:
        for part in season_lines(report):
            click.echo(fill_prose(part))
        click.echo(f"\n{fill_prose(report.how)}")
