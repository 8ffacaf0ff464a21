"""`schafkopf audit`: the verdicts of an archive, their reasons, and the commands that act on them."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any

import click

from archive.cards import faces_in, suit_name
from archive.cli.archive_file import DB, check_rule, check_session, known_player
from archive.cli.groups import LazyGroup
from archive.cli.known_names import FINDING, PLAYER, SESSION
from archive.cli.language import LANG, asked_for, cli_text
from archive.cli.options import print_object
from archive.cli.terminal import width, with_pager
from archive.cli.verdicts import DIFFERENT, VERDICTS, basis_text, summary
from archive.judge.report import report
from archive.say import say
from archive.store import load_judgement, open_read
from archive.store.audit_list import audit_rows
from archive.store.stored_messages import say_stored_reason
from archive.text.wording import sentence

COMMANDS = {
    "compare": ("archive.cli.compare", "Judge the archive again by today's engine and rules"),
    "dossier": ("archive.cli.dossier", "Write the dispute file of DEAL"),
    "explain": ("archive.cli.explain", "Find what gives the amounts that DEAL states"),
    "ledger": ("archive.cli.ledger", "Print the books of SESSION, so that a table can add them up"),
    "repair": ("archive.cli.repair", "Propose the single change that makes the record of DEAL playable"),
    "rulings": ("archive.cli.rule", "List what was ruled, the last first"),
    "slips": ("archive.cli.slips", "Report what went wrong"),
}
GAMES = {"none": "thrown-in", "misdeal": "dealt-again", None: "no-game"}  # if nothing was played: rows of cli.toml


@click.group(cls=LazyGroup, modules=COMMANDS, invoke_without_command=True)
@click.option("--session", type=SESSION, help="Only the deals of this session.")
@click.option("--player", type=PLAYER, help="Only deals with this player at the table, under any name.")
@click.option("--verdict", type=click.Choice(list(VERDICTS)), help="Only deals with this verdict.")
@click.option("--rule", type=FINDING, help="Only deals with a finding of this rule, such as stated-payments.")
@click.option("--json", "as_json", is_flag=True, help="Print the object of `check --json` for each deal.")
@LANG
@DB
@click.pass_context
@with_pager
def audit(
    context: click.Context,
    /,
    session: int | None,
    player: str | None,
    verdict: str | None,
    rule: str | None,
    as_json: bool,
    language: str,
    db: str,
) -> None:
    """List the deals of an archive with their verdicts; or ask why, what would mend it, and what holds it together.

    The verdicts are those that are stored: nothing is judged again but for --json. Exit status: 0 all well or
    undecidable, 1 findings or differences among the deals that are listed.
    """
    if context.invoked_subcommand:
        return
    conn = open_read(db)
    check_session(conn, db, session)
    player = known_player(conn, db, player)
    check_rule(rule)
    rows = audit_rows(conn, session, player, verdict, rule)
    verdicts, any_bad = Counter[str](), False
    for verdict, bad in print_objects(conn, rows, asked_for(context)) if as_json else print_deals(rows, language):
        verdicts[verdict] += 1
        any_bad |= bad
    if not as_json:
        click.echo(summary(verdicts, language), err=True)
    context.exit(1 if any_bad else 0)


def print_deals(rows: Iterable[dict[str, Any]], language: str) -> Iterator[tuple[str, bool]]:
    """Print two lines for each deal under a heading for each session: the verdict, and why if it does not agree; yield
    each verdict, and whether it is bad."""
    session, room = None, width()
    for row in rows:
        if row["session"] != session:
            session = row["session"]
            occasion = ", ".join(str(part) for part in (row["event"], row["place"], row["date"], row["path"]) if part)
            head = f"{cli_text('session', language, n=session)}: {occasion}"
            for line in wrap(head, room, subsequent_indent="  "):
                click.echo(click.style(line, bold=True))
        for line in deal_lines(row, room, language):
            click.echo(line)
        yield row["verdict"], bool(row["bad"]) or row["verdict"] in DIFFERENT


def deal_lines(row: dict[str, Any], room: int, language: str) -> Iterator[str]:
    """Yield the lines of a deal: its number in the archive and in the session, the verdict, the game and the declarer;
    then the reason, or the findings of the rule asked for."""
    wide = max(len(cli_text(verdict, language)) for verdict in VERDICTS)
    verdict = click.style(f"{cli_text(row['verdict'], language):{wide}}", fg=VERDICTS[row["verdict"]])
    contract = row["contract"]
    game = cli_text(GAMES[contract], language) if contract in GAMES else contract.replace("-", " ").title()
    suit = suit_name(row["suit"], faces_in(row["faces"], language))
    title = " ".join(filter(None, (game, suit, "Tout" if row["tout"] else "")))
    who = " + ".join(filter(None, (row["declarer"], row["partner"])))
    text = f"{title}: {who}" if who else title
    text += basis_text(row["basis"], language)
    number = cli_text("deal", language, n=row["number"])
    head = f"{row['deal']:>6}  {number:<{len(cli_text('deal', language, n=1)) + 3}} "
    most = room - len(head) - wide - 1
    yield f"{head}{verdict} {text if len(text) <= most else text[: most - 1] + '…'}".rstrip()
    texts = [sentence(say(message, language, row["faces"])) for message in row["messages"]]
    if not texts and row["reason"]:
        texts = [say_stored_reason(row["reason"], language, row["faces"])]
    for text in texts:
        yield from wrap(text, room, initial_indent=" " * 8, subsequent_indent=" " * 8)


def print_objects(
    conn: sqlite3.Connection, rows: Iterable[dict[str, Any]], language: str
) -> Iterator[tuple[str, bool]]:
    """Print the object of `check --json` for each deal as it is judged today, with the numbers of `archive` and
    `session`; yield each verdict, and whether it is bad."""
    for row in rows:
        judgement = load_judgement(conn, row["deal"])
        if judgement is not None:
            fields = report(judgement, language) | {"archive": row["deal"], "session": row["session"]}
            print_object(fields)
            bad = any(finding.severity != "note" for finding in judgement.findings)
            yield judgement.verdict, bad or judgement.verdict in DIFFERENT
