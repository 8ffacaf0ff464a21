"""`schafkopf rule`: what a person finally decided, beside what is stated and computed; and past rulings by rule."""

import json
import re
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from archive.cli.archive_file import DB, deal_number, spoken_errors
from archive.cli.correct import moment, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archive.audit import Judgement
    from archive.store.ruling import Ruled

AMOUNT = re.compile(r"(?:(.*[^\s:=])(?:\s*[:=]\s*|\s+))?([+-]?\d{1,15})", re.DOTALL)  # a name, perhaps, and an amount


@click.command()
@click.argument("deal")
@click.option("--payments", required=True, metavar="TEXT",
              help='Who is paid what: "Anna 20, Ben -20, …", or amounts alone in the order of the seats.')  # fmt: skip
@click.option("--by", required=True, metavar="NAME", help="Who rules.")
@click.option("--why", required=True, metavar="TEXT", help="Why, in a sentence.")
@click.option("--cite", required=True, metavar="TEXT", help="The rule or agreement it rests on.")
@click.option("--when", metavar="DATE[TIME]", help="When it was ruled; now, where it is left out.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and store nothing.")
@DB
@spoken_errors
def rule(deal: str, payments: str, by: str, why: str, cite: str, when: str | None, dry_run: bool, db: str) -> None:
    """Rule on a deal: what the players pay each other in the end.

    DEAL is the archive's number, the record's id, or the first characters of its hash. Nothing is ever overwritten: a
    ruling stands beside what is stated and computed, a later ruling beside the earlier, and the last is in force. The
    settled totals of the session follow it, the computed ones do not. In a game for marks amounts are marks.
    """
    from archive.record import Ruling
    from archive.store import judged, open_archive, open_read, rehearsal
    from archive.store.ruling import rule as rule_on

    texts = told("--by", by), moment(when), told("--why", why), told("--cite", cite)
    reading = open_read(db)
    number = deal_number(reading, db, deal)
    found = judged(reading, number)
    reading.close()
    if found is None:
        raise click.UsageError(f"no deal {deal!r} in {db}")
    row = Ruling(*texts[:3], amounts(payments, found.session.players), texts[3])
    with rehearsal(db) if dry_run else nullcontext(open_archive(db)) as archive:
        done = rule_on(archive, number, row)
    for line in lines(done):
        click.echo(line)
    if done.rest:
        click.echo(f"The payments and the pot come to {done.rest:+}: the ruling itself moves the pot; "
                   "restate what lies in it (carry.stock) where the next deal needs it.", err=True)  # fmt: skip
    click.echo("Nothing was stored." if dry_run else "The ruling is stored; the record is as it was.", err=True)


# --- read -----------------------------------------------------------------------------------------------------------


def amounts(text: str, players: tuple[str, ...]) -> tuple[int | None, ...]:
    """The payment of each seat: by name, or in the order of the seats. Raises UsageError."""
    names: dict[int, int] = {}
    parts = [part.strip() for part in re.split(r"[,;]", text.replace("\N{MINUS SIGN}", "-")) if part.strip()]
    for place, part in enumerate(parts):
        found = AMOUNT.fullmatch(part)
        if not found:
            raise click.UsageError(f"--payments {part}: expected a name and a whole number, such as Anna -20")
        seat = place if found[1] is None else seat_of(found[1], players)
        if seat in names or seat >= len(players):
            raise click.UsageError(f"--payments {part}: there are {len(players)} players, each named once")
        names[seat] = int(found[2])
    lacking = [name for seat, name in enumerate(players) if seat not in names]
    if lacking:
        raise click.UsageError(f"--payments: nothing is said of {', '.join(lacking)}")
    return tuple(names[seat] for seat in range(len(players)))


def seat_of(name: str, players: tuple[str, ...]) -> int:
    """The seat of a player, however the name is written, where only one is so called."""
    if name in players:
        return players.index(name)
    same = [seat for seat, each in enumerate(players) if each.casefold() == name.casefold()]
    if len(same) != 1:
        raise click.UsageError(f"--payments: no player {name!r} in this deal: {', '.join(players)}")
    return same[0]


# --- told -----------------------------------------------------------------------------------------------------------


def lines(done: "Ruled") -> "Iterator[str]":
    """Stated, computed and ruled side by side, the earlier rulings, and the totals that follow."""
    from tabulate import tabulate

    from archive.cli.correct import title, verdict
    from archive.store.ruling import in_the_end

    found = done.after
    yield f"{title(done.id, found)}: {verdict(found)}"
    yield side_by_side(found)
    earlier = len(found.deal.ruling or ()) - 1
    if earlier:
        yield f"{earlier} earlier ruling{'s' if earlier > 1 else ''} of this deal: kept, and no longer in force."
    last = done.last
    totals, settled = last.after.totals, in_the_end(last)
    if settled is not None and totals != settled:
        rows = zip(last.session.players, totals or (None,) * len(settled), settled, strict=True)
        yield f"After deal {last.number}, the last of the session:"
        yield tabulate(
            [(name, *map(_signed, each)) for name, *each in rows],
            ("total", "computed", "settled"),
            colalign=("left", "right", "right"),
            disable_numparse=True,
        )


def side_by_side(found: "Judgement") -> str:
    """What each player is paid: stated, computed, and by each ruling."""
    from tabulate import tabulate

    names = found.session.players
    blank: tuple[int | None, ...] = (None,) * len(names)
    settled = found.settlement
    computed = (settled.payments or settled.marks) if settled else None
    columns = [(found.deal.stated.payments if found.deal.stated else None) or blank, computed or blank]
    rulings = (found.deal.ruling or ())[-3:]
    columns += [each.payments for each in rulings]
    last = len(rulings) - 1
    head = [f"ruled by {each.by}" if n == last else f"before, by {each.by}" for n, each in enumerate(rulings)]
    rows = [(name, *map(_signed, each)) for name, *each in zip(names, *columns, strict=False)]
    return tabulate(
        rows,
        ("", "stated", "computed", *head),
        colalign=("left", *("right" for _ in columns)),
        maxheadercolwidths=[20, 8, 8, *(16 for _ in rulings)],
        disable_numparse=True,
    )


def _signed(amount: int | None) -> str:
    return "?" if amount is None else f"{amount:+}"


# --- past rulings ---------------------------------------------------------------------------------------------------


def print_rulings(db: str, cite: str | None, about: str | None, by: str | None, as_json: bool) -> None:
    """The rulings that fit, the last first."""
    from archive.cli.table import width
    from archive.store import open_read
    from archive.store.ruling import rulings

    told = 0
    for row in rulings(open_read(db), cite, about, by):
        told += 1
        listed = {key: json.loads(row[key]) if row[key] else None for key in ("seats", "stated", "computed", "ruled")}
        row |= {"rules": json.loads(row["rules"]), "in_force": bool(row["in_force"])} | listed
        if as_json:
            click.echo(json.dumps(row, ensure_ascii=False))
            continue
        click.echo("\n".join(ruling_lines(row, width())))
    if not as_json:
        click.echo("no such ruling" if not told else f"{told} ruling{'s' if told > 1 else ''}", err=True)


def ruling_lines(row: dict[str, Any], room: int) -> "Iterator[str]":
    """A ruling: whose and when, of which deal; what it rests on, why, what it was about, and the amounts."""
    from textwrap import wrap

    deal = f"deal {row['deal']}" + (f", session {row['session']} no. {row['number']}" if row["session"] else "")
    force = "" if row["in_force"] else " (no longer in force)"
    head = f"Ruling {row['ruling']}{force}: {row['by']}, {row['when']}, on {deal}"
    yield from (click.style(line, bold=True) for line in wrap(head, room, subsequent_indent="  "))
    texts = {"rests on": row["cite"], "why": row["why"], "about": ", ".join(row["rules"])}
    texts |= {key: paid(row["seats"], row[key]) for key in ("stated", "computed", "ruled")}
    for label, text in texts.items():
        if text:
            yield from wrap(f"{label + ':':10}{text}", room, initial_indent="  ", subsequent_indent=" " * 12)


def paid(names: list[str] | None, each: list[int | None] | None) -> str:
    """Amounts with the names of the players."""
    if not each or all(amount is None for amount in each):
        return ""
    return ", ".join(f"{name} {_signed(amount)}" for name, amount in zip(names or (), each, strict=False))
