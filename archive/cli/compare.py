"""`schafkopf audit compare`: the archive judged again, and every verdict that would change."""

import sqlite3
import sys
from collections.abc import Iterator
from textwrap import wrap

import click
import msgspec

from archive.cli.archive_file import DB, check_session
from archive.cli.known_names import SESSION
from archive.cli.language import reader_text
from archive.cli.options import before_after, in_utf8
from archive.cli.terminal import clear_progress, width, with_progress
from archive.cli.verdicts import VERDICTS
from archive.judge import ENGINE
from archive.store import Database, open_archive, open_read
from archive.store.verdict_diff import Amounts, Rules, SessionComparison, VerdictChange, compare_sessions, rejudge
from archive.text.deal import amounts_text
from archive.text.wording import sentence

FINDING = ("rule", "severity", "message", "moment")  # of a stored one
TOGETHER = 5000  # deals after which the progress bar moves: they are judged many at once


@click.command()
@click.option("--session", type=SESSION, help="Only this session.")
@click.option("--json", "as_json", is_flag=True, help="Print one object for each deal that changes.")
@click.option("--write", is_flag=True, help="Store what changes, session by session.")
@DB
@click.pass_context
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
    length = count_deals(conn, session)
    for each in with_progress(
        compare_sessions(conn, session), reader_text("judging-again"), length, lambda one: one.deals, TOGETHER
    ):
        deals += each.deals
        changed += len(each.moved)
        if each.stale and sys.stderr.isatty():
            clear_progress()
        for line in objects(each) if as_json else lines(each, width()):
            click.echo(line)
        if archive is not None and each.stale:
            rejudge(archive, each.session)
            stored += 1
    if archive is not None:
        archive.close()
    if not as_json:
        key = f"judged-{'changed' if write else 'would'}{'' if changed else '-none'}"
        click.echo(reader_text(key, n=deals, **({"changed": changed} if changed else {})), err=True)
        if write:
            click.echo(reader_text("judged-stored", n=stored), err=True)
    context.exit(int(changed > 0))


def count_deals(conn: sqlite3.Connection, session: int | None) -> int:
    """Return how many deals there are, or in one session."""
    sql = "SELECT count(*) FROM deals WHERE ?1 IS NULL OR session_id = ?1"
    return int(conn.execute(sql, (session,)).fetchone()[0])


# --- words ----------------------------------------------------------------------------------------------------------


def lines(comparison: SessionComparison, room: int) -> Iterator[str]:
    """Yield the lines of a session: what has changed in engine and rules, then each deal that changes."""
    if not comparison.stale:
        return
    engines, hands = comparison.engines, comparison.hands
    texts = [reader_text("judged-engine", engines=", ".join(engines), now=ENGINE)] if engines else []
    texts += map(rules_line, comparison.rules)
    texts += [reader_text("judged-hands", n=hands)] if hands else []
    texts += [] if comparison.moved else [reader_text("judged-same")]
    yield click.style(reader_text("judged-session", session=comparison.session, n=comparison.deals), bold=True)
    for text in texts:
        yield from wrap(text, room, initial_indent="  ", subsequent_indent="    ")
    for deal in comparison.moved:
        yield from deal_lines(deal, room)


def rules_line(rules: Rules) -> str:
    """Return a ruleset that has changed, with the settings that differ."""
    was, now = rules.digests
    if now is None:
        return reader_text("judged-rules-gone", name=rules.name, was=was)
    settings = "; ".join(f"{key} {one} -> {other}" for key, (one, other) in rules.settings.items())
    settings = settings or reader_text("judged-no-setting")
    return reader_text("judged-rules", name=rules.name, was=was, now=now, settings=settings)


def deal_lines(deal: VerdictChange, room: int) -> Iterator[str]:
    """Yield the lines of a deal: the verdict and the amounts before and after, and the findings that make the
    difference."""
    was, now = (click.style(reader_text(verdict), fg=VERDICTS[verdict]) for verdict in deal.verdict)
    same = deal.verdict[0] == deal.verdict[1]
    yield f"{deal.id:>6}  {reader_text('deal', n=deal.number):<9} {was if same else f'{was} -> {now}'}"
    texts = [
        reader_text(f"judged-{name}", was=amounts(deal.players, one), now=amounts(deal.players, other))
        for name, (one, other) in (("payments", deal.payments), ("marks", deal.marks))
        if one != other
    ]
    for sign, findings in (("+", deal.new), ("-", deal.gone)):
        texts += [f"{sign} {rule}: {sentence(message)}" for rule, _, message, _ in findings]
    for text in texts:
        yield from wrap(text, room, initial_indent=" " * 8, subsequent_indent=" " * 10)


def amounts(players: tuple[str, ...], each: Amounts) -> str:
    """Return amounts by name, or that none is known."""
    return reader_text("not-known") if all(amount is None for amount in each) else amounts_text(players, each)


def objects(comparison: SessionComparison) -> Iterator[bytes | str]:
    """Yield one JSON object for each deal that changes."""
    rules = [
        {"name": one.name, **before_after(*one.digests),
         "settings": {key: before_after(*values) for key, values in one.settings.items()}}
        for one in comparison.rules
    ]  # fmt: skip
    for deal in comparison.moved:
        fields = {
            "archive": deal.id,
            "session": comparison.session,
            "deal": deal.number,
            "path": deal.path,
            "seats": deal.players,
            "verdict": before_after(*deal.verdict),
            "payments": before_after(*deal.payments),
            "marks": before_after(*deal.marks),
            "findings": {
                key: [dict(zip(FINDING, row, strict=True)) for row in rows]
                for key, rows in (("new", deal.new), ("gone", deal.gone))
            },
            "engine": before_after(list(comparison.engines) or [ENGINE], ENGINE),
            "rulesets": rules,
        }
        yield in_utf8(msgspec.json.encode(fields))
