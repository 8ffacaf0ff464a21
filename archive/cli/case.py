"""`schafkopf case`: a dispute from the complaint to the ruling and the appeal, written down as it goes."""

from collections.abc import Callable
from contextlib import closing
from typing import Any, get_args

import click
import msgspec

from archive.cli.archive_file import DB, deal_number, known_player
from archive.cli.correct import read_moment
from archive.cli.groups import ListGroup
from archive.cli.known_names import CASE, DEAL, PLAYER
from archive.cli.language import LANG
from archive.cli.options import JSON, print_object
from archive.cli.terminal import width, with_pager
from archive.say import make_sayer
from archive.store import open_archive, open_read
from archive.store.cases import CaseEntry, DisputeCase, EntryKind, add_entry, all_cases, load_case, open_case
from archive.text.case import case_lines, entry_title, state_text

case_text = make_sayer("case.")
BY = click.option("--by", required=True, metavar="NAME", help="Who writes it down.")
WHEN = click.option("--when", metavar="DATE[TIME]", help="When it was said; now, where it is left out.")
TEXT = click.option("--text", required=True, metavar="TEXT", help="The words.")
SAID = ("statement", "witness", "appeal")


@click.group(cls=ListGroup, invoke_without_command=True)
@click.option("--state", type=click.Choice(["open", "closed"]), help="Only cases that are open, or closed.")
@JSON
@LANG
@DB
@click.pass_context
@with_pager
def case(context: click.Context, /, state: str | None, as_json: bool, language: str, db: str) -> None:
    """List the cases of an archive, the last first; or open one, add to it, close it.

    A case is a dispute about a deal: the complaint, what both sides and witnesses say, the rulings (`schafkopf rule
    DEAL --case NUMBER`), an appeal. Whatever was written down stays; what is wrong is set right by a further entry.
    """
    if context.invoked_subcommand:
        return
    found = all_cases(open_read(db), state)
    if as_json:
        for each in found:
            print_object(case_object(each))
        return
    for each in found:
        click.echo("\n".join(case_lines(each, width(), language)))
    click.echo(case_text("count", language, n=len(found)) if found else case_text("none", language), err=True)


@case.command(name="open")
@click.argument("deal", type=DEAL)
@click.option("--claimant", type=PLAYER, required=True, help="Who complains.")
@click.option("--against", type=PLAYER, help="Whom it is directed against.")
@TEXT
@BY
@WHEN
@LANG
@DB
def open_(
    deal: str, claimant: str, against: str | None, text: str, by: str, when: str | None, language: str, db: str
) -> None:
    """Begin a case about DEAL with the complaint."""
    words = text, by, read_moment(when)
    with closing(open_read(db)) as conn:
        number = deal_number(conn, db, deal)
        sides = known_player(conn, db, claimant) or claimant, known_player(conn, db, against)
    case_number = open_case(open_archive(db), number, *sides, *words)
    click.echo(case_text("begun", language, n=case_number))


@case.command()
@click.argument("number", type=CASE)
@JSON
@LANG
@DB
@with_pager
def show(number: int, as_json: bool, language: str, db: str) -> None:
    """Print case NUMBER with all that was brought forward in it."""
    found = load_case(open_read(db), number)
    if found is None:
        raise click.UsageError(case_text("none-there", language, n=number, db=db))
    if as_json:
        print_object(case_object(found))
        return
    click.echo("\n".join(case_lines(found, width(), language)))


def case_object(found: DisputeCase) -> dict[str, Any]:
    """Return a case as JSON: its fields, its state, and who has not been heard yet."""
    return msgspec.structs.asdict(found) | {"state": found.state, "lacks_statement": found.lacks_statement}


def adding(kind: EntryKind, about: str) -> Callable[..., None]:
    """Return the command that adds an entry of one kind."""

    @click.argument("number", type=CASE)
    @TEXT
    @BY
    @WHEN
    @LANG
    @DB
    def add(number: int, text: str, by: str, when: str | None, language: str, db: str, of: str | None = None) -> None:
        entry = CaseEntry(kind, of or by, text, by, read_moment(when))
        open_read(db).close()
        add_entry(open_archive(db), number, entry)
        now = load_case(open_read(db), number)
        assert now
        facts = {"what": entry_title(entry, language), "state": state_text(now, language)}
        click.echo(case_text("added", language, n=number, **facts))

    whose = click.option("--of", type=PLAYER, required=kind != "close", help="Whose it is.")
    command = whose(add) if kind in SAID else add
    command.__doc__ = about
    return command


ABOUT: dict[EntryKind, str] = {
    "statement": "Add what a side says to case NUMBER.",
    "witness": "Add what a witness says to case NUMBER.",
    "appeal": "Appeal against what was decided in case NUMBER, which opens it again.",
    "close": "Close case NUMBER.",
    "reopen": "Open case NUMBER again.",
}
assert set(ABOUT) <= set(get_args(EntryKind))
for _kind, _about in ABOUT.items():
    case.command(name=_kind)(adding(_kind, _about))
