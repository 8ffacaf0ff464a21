"""`schafkopf audit`: the verdicts of an archive, and what leads to them and away from them."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from archive.cli.archive_file import DB, judged_deal, spoken_errors
from archive.cli.check import VERDICTS, summary
from archive.cli.language import LANG, asked_for, voice

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from archive.audit import Judgement

DIFFERENT = ("differs", "unplayable")


@click.group(invoke_without_command=True)
@click.option("--session", type=int, metavar="NUMBER", help="Only the deals of this session.")
@click.option("--player", metavar="NAME", help="Only deals with this player at the table, under any name.")
@click.option("--verdict", type=click.Choice(list(VERDICTS)), help="Only deals with this verdict.")
@click.option("--rule", metavar="RULE", help="Only deals with a finding of this rule, such as stated-payments.")
@click.option("--json", "as_json", is_flag=True, help="Print the object of `check --json` for each deal.")
@LANG
@DB
@click.pass_context
@spoken_errors
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
    from archive.store import open_read, session_row
    from archive.store.auditing import Wanted, audited, is_player

    conn = open_read(db)
    if session is not None and session_row(conn, session) is None:
        raise click.UsageError(f"no session {session} in {db}")
    if player is not None and not is_player(conn, player):
        raise click.UsageError(f"no player {player!r} in {db}")
    known(rule)
    found = audited(conn, Wanted(session, player, verdict, rule))
    verdicts, bad = print_objects(conn, found, asked_for(context)) if as_json else print_deals(found, language)
    if not as_json:
        click.echo(summary(verdicts, language), err=True)
    context.exit(1 if bad else 0)


def known(rule: str | None) -> None:
    """Raises UsageError for a rule that no finding has."""
    from archive.record.findings import severities

    if rule is not None and rule not in severities():
        raise click.UsageError(f"no rule {rule!r}; docs/findings.md has them all")


# --- the list -------------------------------------------------------------------------------------------------------


def print_deals(found: "Iterable[dict[str, Any]]", language: str = "en") -> tuple[Counter[str], bool]:
    """Two lines a deal under a heading for each session: the verdict, and why where it does not agree; gives how many
    of each verdict, and whether any is bad."""
    from archive.cli.table import width

    verdicts: Counter[str] = Counter()
    bad, session, room = False, None, width()
    for row in found:
        if row["session"] != session:
            session = row["session"]
            click.echo("\n".join(heading(row, room)))
        for line in lines(row, room, language):
            click.echo(line)
        verdicts[row["verdict"]] += 1
        bad |= bool(row["bad"]) or row["verdict"] in DIFFERENT
    return verdicts, bad


def heading(row: dict[str, Any], room: int) -> "Iterator[str]":
    """What the session was: its number, occasion and file."""
    from textwrap import wrap

    told = ", ".join(str(part) for part in (row["event"], row["place"], row["date"], row["path"]) if part)
    for line in wrap(f"Session {row['session']}: {told}", room, subsequent_indent="  "):
        yield click.style(line, bold=True)


def lines(row: dict[str, Any], room: int, language: str = "en") -> "Iterator[str]":
    """A deal: its number in the archive, in the session, the verdict, the game and whose it was; then the reason, or
    what is found of the rule that is asked for."""
    from textwrap import wrap

    from archive.audit.german import reason_in_german
    from archive.cards import suit_name
    from archive.web.wording import sentence

    say = voice(language)
    wide = max(len(say(each)) for each in VERDICTS)
    verdict = click.style(f"{say(row['verdict']):{wide}}", fg=VERDICTS[row["verdict"]])
    named = {"none": "thrown in", "misdeal": "dealt again", None: "no game recorded"}
    contract = row["contract"]
    game = named.get(contract) or contract.replace("-", " ").title()
    parts = (game, suit_name(row["suit"], row["faces"]), "Tout" if row["tout"] else "")
    who = " + ".join(filter(None, (row["declarer"], row["partner"])))
    told = ": ".join(filter(None, (" ".join(filter(None, parts)), who)))
    number = f"deal {row['number']}"
    head = f"{row['deal']:>6}  {say(number):<{len(say('deal 1')) + 3}} "
    most = room - len(head) - wide - 1
    yield f"{head}{verdict} {told if len(told) <= most else told[: most - 1] + '…'}".rstrip()
    why = (row["messages"] or row["reason"] or "").splitlines()
    for text in why if language == "en" else map(reason_in_german, why):
        yield from wrap(sentence(text), room, initial_indent=" " * 8, subsequent_indent=" " * 8)


def print_objects(
    conn: "sqlite3.Connection", found: "Iterable[dict[str, Any]]", language: str = "en"
) -> tuple[Counter[str], bool]:
    """The object of `check --json` for each deal as it is judged today, with the numbers of `archive` and `session`."""
    import msgspec

    from archive.audit.report import report
    from archive.store import judged

    verdicts: Counter[str] = Counter()
    bad = False
    for row in found:
        judgement = judged(conn, row["deal"])
        if judgement is None:
            continue
        told = report(judgement, language) | {"archive": row["deal"], "session": row["session"]}
        click.echo(msgspec.json.encode(told).decode())
        verdicts[judgement.verdict] += 1
        bad |= judgement.verdict in DIFFERENT or any(each.severity != "note" for each in judgement.findings)
    return verdicts, bad


# --- what leads to a verdict, and away from it ----------------------------------------------------------------------


@audit.command()
@click.argument("deal", required=False)
@click.option("--session", type=int, metavar="NUMBER", help="Explain all of a session by one setting instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@LANG
@DB
@click.pass_context
@spoken_errors
def explain(
    context: click.Context, /, deal: str | None, session: int | None, as_json: bool, language: str, db: str
) -> None:
    """Find what gives the amounts that DEAL states: other readings of the house rules, slips of a recorder.

    The likeliest come first, with how many others fit, and plainly that none does. Exit status: 0 where the deal
    agrees or is undecidable, 1 where it differs or is unplayable.
    """
    import msgspec

    from archive.audit.explain import explain as explained
    from archive.audit.explain import explain_session, report
    from archive.cli import explaining

    if (deal is None) == (session is None):
        raise click.UsageError("name a DEAL, or a --session")
    if session is not None:
        every = session_judged(db, session)
        of_session = explain_session(every)
        if as_json:
            click.echo(msgspec.json.encode(report.session_report(of_session)).decode())
        else:
            explaining.print_session_explanation(of_session, language)
        context.exit(1 if any(each.verdict in DIFFERENT for each in every) else 0)
    found = judged_deal(db, deal or "")
    result = explained(found, beside(db, deal or ""))
    if as_json:
        click.echo(msgspec.json.encode(report.explained_report(result)).decode())
    else:
        explaining.print_explanation(found, result, language)
    context.exit(1 if found.verdict in DIFFERENT else 0)


def session_judged(db: str, session: int) -> "list[Judgement]":
    """The deals of a session, judged again."""
    from archive.store import open_read, session_row
    from archive.store.again import judged_session

    conn = open_read(db)
    if session_row(conn, session) is None:
        raise click.UsageError(f"no session {session} in {db}")
    return [found for _, found in judged_session(conn, session)]


def beside(db: str, deal: str) -> "list[Judgement]":
    """The deals before and after one, whose rows a recorder may have taken for its own."""
    from archive.cli.archive_file import deal_number
    from archive.store import judged, neighbours, open_read

    conn = open_read(db)
    both = neighbours(conn, deal_number(conn, db, deal))
    return [found for key in both if key is not None and (found := judged(conn, key))]


@audit.command()
@click.argument("deal")
@LANG
@DB
@click.pass_context
@spoken_errors
def repair(context: click.Context, /, deal: str, language: str, db: str) -> None:
    """Propose the single change that makes the record of DEAL playable, where there is exactly one.

    Nothing is ever changed but by `schafkopf correct`, whose command is printed. Exit status: 0 where the deal can be
    played as it is, 1 where it cannot.
    """
    from archive.cli.repairing import print_proposal

    context.exit(1 if print_proposal(judged_deal(db, deal), deal, db, language) else 0)


@audit.command()
@click.argument("deal")
@click.option("--output", metavar="FILE", help="An .html page, or a .zip with all that it rests on; - is stdout.")
@click.option("--force", is_flag=True, help="Overwrite a file that is there.")
@DB
@spoken_errors
def dossier(deal: str, output: str | None, force: bool, db: str) -> None:
    """Write the dispute file of DEAL: a page to print, complete in itself, or a ZIP of it with the record, what is
    computed, the sources as they were imported, and the hash of each.

    The same archive gives the same bytes. Without --output the page is deal-NUMBER.html.
    """
    from archive.cli.dossier import write_dossier

    path = write_dossier(db, deal, output, force)
    if path != "-":
        click.echo(path)


@audit.command()
@click.option("--cite", metavar="TEXT", help="Only those that rest on this, or say it in why.")
@click.option("--rule", metavar="RULE", help="Only those of deals with a finding of this rule.")
@click.option("--by", metavar="NAME", help="Only those of this person.")
@click.option("--json", "as_json", is_flag=True, help="Print one object a ruling.")
@DB
@spoken_errors
def rulings(cite: str | None, rule: str | None, by: str | None, as_json: bool, db: str) -> None:
    """List what was ruled, the last first: how was it decided when the same rule was at stake?"""
    from archive.cli.ruling import print_rulings

    known(rule)
    print_rulings(db, cite, rule, by, as_json)


@audit.command()
@click.option("--session", type=int, metavar="NUMBER", help="Only this session.")
@click.option("--json", "as_json", is_flag=True, help="Print one object for each deal that changes.")
@click.option("--write", is_flag=True, help="Store what changes, session by session.")
@DB
@click.pass_context
@spoken_errors
def compare(context: click.Context, /, session: int | None, as_json: bool, write: bool, db: str) -> None:
    """Judge the archive again by today's engine and rules, and list every deal that changes.

    Told are its verdict and payments, before and after, and the findings that come (+) or go (-); and each ruleset that
    is not what it was, with its settings that differ. Nothing is changed but with --write. Exit status: 0 nothing
    changes, 1 something does.
    """
    from archive.cli.comparing import compare as print_compared

    context.exit(1 if print_compared(db, session, as_json, write) else 0)


@audit.command()
@click.argument("session", type=int)
@DB
@click.pass_context
@spoken_errors
def ledger(context: click.Context, /, session: int, db: str) -> None:
    """Print the books of SESSION, so that a table can add them up: payments, pots, totals, and where they break first.

    Each number is what the rules give; what is stated otherwise, ruled, or settled by a ruling stands below it, and in
    brackets what is only stated. Marks: ≠ differs, ! unplayable, ? undecidable. Exit status: 0 where everything adds
    up and follows, 1 where it does not.
    """
    from archive.cli.books import print_ledger

    context.exit(0 if print_ledger(db, session) else 1)
