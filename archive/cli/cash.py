"""`schafkopf cash`: who owes what, and what was paid beside the deals."""

from collections.abc import Callable
from datetime import date
from typing import Any

import click
from msgspec.structs import asdict

from archive.cli.archive_file import DB, known_player
from archive.cli.groups import ListGroup
from archive.cli.known_names import NUMBER, PLAYER
from archive.cli.language import LANG, wrong_use
from archive.cli.options import JSON, print_object
from archive.cli.stats import open_counted
from archive.cli.terminal import fill_prose, with_pager
from archive.notation.money import is_money, read_amount
from archive.record.days import parse_day
from archive.store import open_archive, open_read
from archive.store.cash_book import (
    CashAccount,
    CashEntry,
    Kind,
    add_entry,
    cash_accounts,
    cash_entries,
    cash_entry,
    cash_in_box,
    undo_entry,
    units_of,
)
from archive.store.left_out import uneven_rows, unread_rows, waiting_drafts
from archive.text.cash import COLUMNS, cash_parts, cash_word, entry_line, entry_text, owed_text
from archive.text.left_out import drafts_text, rows_text
from archive.text.tables import tabulate
from archive.text.texts import TEXTS

BY = click.option("--by", required=True, metavar="NAME", help="Who writes it down.")
ACTS: dict[str, tuple[Kind, int, str]] = {  # for each command its kind, its sign, and how its help begins
    "paid": ("paid", 1, "Write down that NAME paid AMOUNT, to another player or into the box."),
    "received": ("paid", -1, "Write down that NAME was paid AMOUNT out of the box."),
    "carried": ("carried", 1, "Write down what NAME owed before the archive (-3,40), or was owed (3,40)."),
}


@click.group(cls=ListGroup, invoke_without_command=True)
@JSON
@LANG
@DB
@click.pass_context
@with_pager
def cash(context: click.Context, /, as_json: bool, language: str, db: str) -> None:
    """List who owes what, and who gets what; or write down what was paid.

    What somebody owes is what the deals came to, as in `stats standings`, with what is carried on from before the
    archive and what was paid since. The deals stay as they are. An amount of money is written as 12,50 or 1250 ct.
    """
    if context.invoked_subcommand:
        return
    conn, t = open_counted(db), TEXTS[language]
    accounts = cash_accounts(conn)
    if as_json:
        for each in accounts:
            print_object(asdict(each))
        return
    if not accounts:
        click.echo(cash_word("nobody", language), err=True)
    heads = tuple(cash_word(key, language) for key in COLUMNS)
    uneven = uneven_rows(conn)
    for place, part in enumerate(cash_parts(accounts, cash_in_box(conn), t, adds_up=not uneven)):
        click.echo(f"{chr(10) if place else ''}{click.style(part.title, bold=True)}\n")
        rows = [(each.player, each.from_deals, each.carried, each.paid, each.balance, each.says) for each in part.lines]
        aligned = ("left", *("right",) * 4, "left")
        click.echo(tabulate(rows, (*heads, ""), colalign=aligned, disable_numparse=True))
        payments = "; ".join(sentence for sentence, _ in part.settle)
        settle = f"{cash_word('settle', language)} {payments}." if payments else ""
        for line in filter(None, (settle, part.box, part.undecided)):
            click.echo(f"\n{fill_prose(line)}")
    notes = (*rows_text("uneven", uneven, language), *rows_text("unread", unread_rows(conn), language))
    for line in filter(None, (drafts_text(waiting_drafts(conn)[1], language), *(f"{each}." for each in notes))):
        click.echo(f"\n{fill_prose(line)}")


@cash.command()
@JSON
@LANG
@DB
@with_pager
def entries(as_json: bool, language: str, db: str) -> None:
    """List what was written down, the last first, each with the number by which it is taken back."""
    listed, t = cash_entries(open_read(db)), TEXTS[language]
    if as_json:
        for each in listed:
            print_object(asdict(each))
        return
    if listed:
        lines = (entry_line(each, t) for each in listed)
        rows = [(each.id, each.day, each.says, each.note, each.author) for each in lines]
        heads = tuple(cash_word(key, language) for key in ("number", "day", "says", "note", "by"))
        click.echo(tabulate(rows, heads, disable_numparse=[1, 2, 3, 4]))
    count = cash_word("entries", language, n=len(listed)) if listed else cash_word("no-entries", language)
    click.echo(count, err=True)


@cash.command()
@click.argument("number", type=NUMBER)
@BY
@LANG
@DB
def undo(number: int, by: str, language: str, db: str) -> None:
    """Take entry NUMBER back, by another one that stands against it."""
    open_read(db).close()
    entry = undo_entry(open_archive(db), number, by)
    click.echo(cash_word("taken-back", language, n=number, said=entry_text(entry, TEXTS[language])))


def adding(kind: Kind, sign: int, about: str) -> Callable[..., None]:
    """Return the command that adds an entry of a kind."""

    @click.argument("name", type=PLAYER)
    @click.argument("amount")
    @click.option("--on", "day", metavar="DATE", help="On which day; today, where it is left out.")
    @click.option("--note", metavar="TEXT", help="A free note.")
    @click.option("--unit", metavar="TEXT", help="What is counted, where the archive counts several things: ct, P, …")
    @BY
    @LANG
    @DB
    def add(
        name: str, amount: str, by: str, language: str, db: str, to: str | None = None, **options: str | None
    ) -> None:  # fmt: skip
        conn, t = open_counted(db), TEXTS[language]
        player, other = known_player(conn, db, name), known_player(conn, db, to)
        assert player
        counted = unit_of_amount(cash_accounts(conn), player, amount, options["unit"])
        value = read_amount(amount, counted)
        if value is None and options["unit"]:  # which a whole number alone has, too
            value = read_amount(f"{amount} {counted}", counted)
        if value is None:
            raise wrong_use("no-amount" if counted == "ct" else "no-count", text=amount, unit=counted)
        if value < 0 and kind == "paid":
            raise wrong_use("amount-side", text=amount)
        entry = CashEntry(
            kind=kind, player=player, to=other, amount=sign * value, unit=counted, author=by,
            day=(parse_day(day) or day) if (day := options["day"]) else date.today().isoformat(),
            note=options["note"],
        )  # fmt: skip
        conn.close()
        number = add_entry(archive := open_archive(db), entry)
        stored = cash_entry(archive.conn, number)
        assert stored  # written just now
        accounts = cash_accounts(archive.conn)
        now = next(each for each in accounts if (each.player, each.unit) == (stored.player, counted))
        facts = {"said": entry_text(stored, t), "player": stored.player, "stands": owed_text(now, t)}
        click.echo(cash_word("stored", language, n=number, **facts))

    to_whom = click.option("--to", type=PLAYER, help="To whom; into the box, where it is left out.")
    command: Any = to_whom(add) if (kind, sign) == ("paid", 1) else add
    command.__doc__ = about
    return command  # type: ignore[no-any-return]


def unit_of_amount(accounts: list[CashAccount], player: str, amount: str, unit: str | None) -> str:
    """Return the unit of an amount: the one that is named, money if it is written as that, else that of the account of
    the player. Raises UsageError if nothing is counted in it, or if several are possible."""
    every = units_of(accounts)
    if unit is not None:
        if unit not in (*every, "ct"):
            raise wrong_use("no-unit", unit=unit, units=every)
        return unit
    if is_money(amount):
        return "ct"
    own = units_of(accounts, player)
    if len(own) > 1:
        raise wrong_use("which-unit", units=own)
    return own[0]


for _name, _act in ACTS.items():
    # a debt begins with a minus, which is no option
    cash.command(name=_name, context_settings={"ignore_unknown_options": True})(adding(*_act))
