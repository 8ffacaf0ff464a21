"""`schafkopf audit compare`: the archive judged again, and every verdict that would change."""

import sqlite3
import sys
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import click
import msgspec

from archive.cli.archive_file import DB, check_session, report_archive_errors
from archive.cli.inputs import CLEAR
from archive.cli.language import cli_text
from archive.cli.terminal import capitalize, width
from archive.cli.verdicts import VERDICTS
from archive.judge import ENGINE
from archive.store import Database, open_archive, open_read
from archive.store.comparing import Amounts, Compared, Moved, Rules, compared, rejudge

TOGETHER = 5000  # deals after which the progress bar moves: they are judged many at once


@click.command()
@click.option("--session", type=int, metavar="NUMBER", help="Only this session.")
@click.option("--json", "as_json", is_flag=True, help="Print one object for each deal that changes.")
@click.option("--write", is_flag=True, help="Store what changes, session by session.")
@DB
@click.pass_context
@report_archive_errors
def compare(context: click.Context, /, session: int | None, as_json: bool, write: bool, db: str) -> None:
    """Judge the archive again by today's engine and rules, and list every deal that changes.

    Told are its verdict and payments, before and after, and the findings that come (+) or go (-); and each ruleset that
    is not what it was, with its settings that differ. Nothing is changed but with --write. Exit status: 0 nothing
    changes, 1 something does.
    """

    conn = open_read(db)
    check_session(conn, db, session)
    archive: Database | None = open_archive(db) if write else None
    deals = changed = stored = 0
    for each in shown(compared(conn, session), count_deals(conn, session)):
        deals += each.deals
        changed += len(each.moved)
        for line in objects(each) if as_json else lines(each, width()):
            click.echo(line)
        if archive is not None and each.stale:
            rejudge(archive, each.session)
            stored += 1
    if archive is not None:
        archive.close()
    if not as_json:
        told = "changed" if write else "would change"
        click.echo(f"{cli_text('deals', n=deals)} judged again: {changed or 'none'} {told}", err=True)
        if write:
            click.echo(f"{cli_text('sessions', n=stored)} stored as judged today", err=True)
    context.exit(int(changed > 0))


def count_deals(conn: "sqlite3.Connection", session: int | None) -> int:
    where, values = ("", ()) if session is None else (" WHERE session_id = ?", (session,))
    return int(conn.execute(f"SELECT count(*) FROM deals{where}", values).fetchone()[0])


def shown(every: Iterator[Compared], deals: int) -> Iterator[Compared]:
    """Sessions as they come, with a progress bar on a terminal that makes room where something is printed."""
    if not sys.stderr.isatty():
        yield from every
        return
    with click.progressbar(length=deals, label="Judging again", file=sys.stderr, update_min_steps=TOGETHER) as bar:
        for each in every:
            if each.stale:
                sys.stderr.write(CLEAR)
                sys.stderr.flush()
            yield each
            bar.update(each.deals)


# --- words ----------------------------------------------------------------------------------------------------------


def lines(each: Compared, room: int) -> Iterator[str]:
    """A session: what is otherwise in engine and rules, then each deal that changes."""

    if not each.stale:
        return
    told = [f"judged by engine {', '.join(each.engines)}, today's is {ENGINE}"] if each.engines else []
    told += map(rules_line, each.rules)
    told += [f"the trumps of {cli_text('hands', n=each.hands)} are not counted yet"] if each.hands else []
    told += [] if each.moved else ["no verdict changes"]
    yield click.style(f"Session {each.session}, {cli_text('deals', n=each.deals)}", bold=True)
    for text in told:
        yield from wrap(text, room, initial_indent="  ", subsequent_indent="    ")
    for deal in each.moved:
        yield from deal_lines(deal, room)


def rules_line(rules: Rules) -> str:
    """A ruleset that is not what it was, with the settings that differ."""
    was, now = rules.digests
    if now is None:
        return f"{rules.name} ({was}) can be read no more"
    told = "; ".join(f"{key} {one} -> {other}" for key, (one, other) in rules.settings.items())
    return f"{rules.name} ({was} -> {now}): {told or 'its contracts, rounds or citations, no house setting'}"


def deal_lines(deal: Moved, room: int) -> Iterator[str]:
    """A deal: the verdict and the amounts before and after, and the findings that make the difference."""
    was, now = (click.style(verdict, fg=VERDICTS[verdict]) for verdict in deal.verdict)
    same = deal.verdict[0] == deal.verdict[1]
    yield f"{deal.id:>6}  deal {deal.number:<4} {was if same else f'{was} -> {now}'}"
    texts = [
        f"{name}: {amounts(deal.players, one)} -> {amounts(deal.players, other)}"
        for name, (one, other) in (("payments", deal.payments), ("marks", deal.marks))
        if one != other
    ]
    for sign, findings in (("+", deal.new), ("-", deal.gone)):
        texts += [f"{sign} {rule}: {capitalize(message)}" for rule, _, message, _ in findings]
    for text in texts:
        yield from wrap(text, room, initial_indent=" " * 8, subsequent_indent=" " * 10)


def amounts(players: tuple[str, ...], each: Amounts) -> str:
    if all(amount is None for amount in each):
        return "not known"
    told = zip(players, each, strict=False)
    return ", ".join(f"{name} {'?' if amount is None else f'{amount:+}'}" for name, amount in told)


def objects(each: Compared) -> Iterator[str]:
    """One JSON object for each deal that changes."""

    rules = [
        {
            "name": one.name,
            "before": one.digests[0],
            "after": one.digests[1],
            "settings": {key: {"before": was, "after": now} for key, (was, now) in one.settings.items()},
        }
        for one in each.rules
    ]
    for deal in each.moved:
        told: dict[str, Any] = {
            "archive": deal.id,
            "session": each.session,
            "deal": deal.number,
            "path": deal.path,
            "seats": deal.players,
            **{
                key: {"before": was, "after": now}
                for key, (was, now) in (
                    ("verdict", deal.verdict), ("payments", deal.payments), ("marks", deal.marks),
                )
            },
            "findings": {
                key: [dict(zip(("rule", "severity", "message", "moment"), each, strict=True)) for each in found]
                for key, found in (("new", deal.new), ("gone", deal.gone))
            },
            "engine": {"before": list(each.engines) or [ENGINE], "after": ENGINE},
            "rulesets": rules,
        }  # fmt: skip
        yield msgspec.json.encode(told).decode()
