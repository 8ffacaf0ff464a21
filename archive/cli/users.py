"""`schafkopf users`: who may read and write an archive through its server."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from archive.cli.archive_file import DB, find_player
from archive.cli.known_names import PLAYER
from archive.cli.language import heads, reader_text, wrong_use
from archive.cli.options import JSON, print_rows
from archive.say import Message
from archive.store import open_archive, open_read
from archive.store.accounts import ROLES, Account, Accounts, Role, accounts_path
from archive.store.passwords import LONGEST, SHORTEST, hash_password, is_long_enough
from archive.text.tables import tabulate

ROLE = click.option("--role", type=click.Choice(ROLES), required=True, help="Each may do what those before it may.")
NAME = click.argument("name")


@click.group("users")
def users() -> None:
    """Accounts of an archive: who may read private evenings, write, rule, and keep it.

    A reader sees what is for accounts, a writer writes evenings down and corrects them, a referee rules, a keeper does
    everything. Accounts lie beside the archive, in a file that no backup or export has.
    """


@contextmanager
def accounts_of(db: str) -> Iterator[Accounts]:
    """Give the accounts of an archive. Raises ArchiveError if there is no such archive."""
    open_read(db).close()
    with closing(Accounts(Path(db))) as accounts:
        yield accounts


@users.command()
@NAME
@ROLE
@click.option("--player", type=PLAYER, help="The name of this person in the records, where it is another one.")
@DB
def add(name: str, role: Role, player: str | None, db: str) -> None:
    """Add an account, with a password that is asked for, or is the first line of standard input. Where there is no
    archive yet, an empty one is made."""
    if not Path(db).exists():
        open_archive(db).conn.close()
        click.echo(reader_text("account-archive", db=db), err=True)
    with closing(open_read(db)) as conn:
        found = None if player is None else find_player(conn, db, player)
    with accounts_of(db) as accounts:
        is_first = not accounts.list_accounts()
        accounts.add(name, role, hash_password(read_password()), player if isinstance(found, Message) else found)
    click.echo(reader_text("account-added", name=name, role=role), err=True)
    if is_first:
        click.echo(reader_text("account-first"), err=True)
    if isinstance(found, Message):
        click.echo(reader_text("account-player", why=found), err=True)


@users.command("list")
@JSON
@DB
def list_users(as_json: bool, db: str) -> None:
    """List the accounts."""
    rows = list[tuple[str, str, str]]()
    if not Path(db).is_file() or accounts_path(Path(db)).is_file():  # listing none makes no file for them
        with accounts_of(db) as accounts:
            rows = [(account.name, account.role, account.player) for account in accounts.list_accounts()]
    if as_json:
        print_rows(("name", "role", "player"), rows)
        return
    click.echo(tabulate(rows, heads("name", "role", "player")) if rows else reader_text("no-accounts"))


@users.command()
@NAME
@DB
def remove(name: str, db: str) -> None:
    """Remove an account. What it wrote keeps its name."""
    with account_of(db, name) as (accounts, account):
        accounts.remove(account)
    click.echo(reader_text("account-removed", name=account.name), err=True)


@users.command()
@NAME
@DB
def password(name: str, db: str) -> None:
    """Give an account another password, and sign it out everywhere."""
    with account_of(db, name) as (accounts, account):
        accounts.set_password(account, hash_password(read_password()))
    click.echo(reader_text("account-password", name=account.name), err=True)


@users.command("role")
@NAME
@click.argument("role", type=click.Choice(ROLES))
@DB
def set_role(name: str, role: Role, db: str) -> None:
    """Give an account another role, from the next request on."""
    with account_of(db, name) as (accounts, account):
        accounts.set_role(account, role)
    click.echo(reader_text("account-role", name=account.name, role=role), err=True)


@users.command()
@NAME
@DB
def revoke(name: str, db: str) -> None:
    """Sign an account out everywhere, and take its tokens back."""
    with account_of(db, name) as (accounts, account):
        count = accounts.revoke(account)
    click.echo(reader_text("account-revoked", name=account.name, n=count), err=True)


@users.command()
@NAME
@DB
def token(name: str, db: str) -> None:
    """Print a token by which a program acts as an account, until it is revoked. It is shown this once."""
    with account_of(db, name) as (accounts, account):
        click.echo(accounts.new_token(account))


@contextmanager
def account_of(db: str, name: str) -> Iterator[tuple[Accounts, Account]]:
    with accounts_of(db) as accounts:
        yield accounts, accounts.account(name)


def read_password() -> str:
    """Return a password, asked for twice on a terminal, otherwise the first line of standard input. Raises
    UsageError."""
    if sys.stdin.isatty():
        text = str(click.prompt(reader_text("password"), hide_input=True, confirmation_prompt=True))
    else:
        text = sys.stdin.readline().rstrip("\r\n")
    if not is_long_enough(text):
        raise wrong_use("password-length", least=SHORTEST, most=LONGEST)
    return text
