"""`schafkopf rule`: what a person finally decided, beside what is stated and computed."""

import re
from collections.abc import Iterator

import click
from tabulate import tabulate

from archive.cli.archive_file import DB, archive_to_write, deal_number, report_archive_errors
from archive.cli.correct import STORED, deal_title, read_moment, read_text, styled_verdict
from archive.cli.language import cli_text
from archive.cli.terminal import with_sign
from archive.judge import Judgement
from archive.record import Ruling
from archive.settle.rulings import totals_with_rulings
from archive.store import load_judgement, open_read
from archive.store.ruling import RulingResult
from archive.store.ruling import rule_on_deal as rule_on

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
@report_archive_errors
def rule(deal: str, payments: str, by: str, why: str, cite: str, when: str | None, dry_run: bool, db: str) -> None:
    """Rule on a deal: what the players pay each other in the end.

    DEAL is the archive's number, the record's id, or the first characters of its hash. Nothing is ever overwritten: a
    ruling stands beside what is stated and computed, a later ruling beside the earlier, and the last is in force. The
    settled totals of the session follow it, the computed ones do not. In a game for marks amounts are marks.
    """
    texts = read_text("--by", by), read_moment(when), read_text("--why", why), read_text("--cite", cite)
    reading = open_read(db)
    number = deal_number(reading, db, deal)
    judgement = load_judgement(reading, number)
    reading.close()
    if judgement is None:
        raise click.UsageError(f"no deal {deal!r} in {db}")
    row = Ruling(*texts[:3], read_amounts(payments, judgement.session.players), texts[3])
    with archive_to_write(db, dry_run) as archive:
        done = rule_on(archive, number, row)
    for line in ruling_lines(done):
        click.echo(line)
    if done.rest:
        click.echo(f"The payments and the pot come to {done.rest:+}: the ruling itself moves the pot; "
                   "restate what lies in it (carry.stock) where the next deal needs it.", err=True)  # fmt: skip
    click.echo(STORED[dry_run].format("ruling"), err=True)


# --- read -----------------------------------------------------------------------------------------------------------


def read_amounts(text: str, players: tuple[str, ...]) -> tuple[int | None, ...]:
    """The payment of each seat: by name, or in the order of the seats. Raises UsageError."""
    names: dict[int, int] = {}
    parts = [part.strip() for part in re.split(r"[,;]", text.replace("\N{MINUS SIGN}", "-")) if part.strip()]
    for place, part in enumerate(parts):
        match = AMOUNT.fullmatch(part)
        if not match:
            raise click.UsageError(f"--payments {part}: expected a name and a whole number, such as Anna -20")
        seat = place if match[1] is None else seat_of(match[1], players)
        if seat in names or seat >= len(players):
            raise click.UsageError(f"--payments {part}: there are {len(players)} players, each named once")
        names[seat] = int(match[2])
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


# --- printed --------------------------------------------------------------------------------------------------------


def ruling_lines(done: RulingResult) -> Iterator[str]:
    """Stated, computed and ruled side by side, the earlier rulings, and the totals that follow."""
    judgement = done.after
    yield f"{deal_title(done.id, judgement)}: {styled_verdict(judgement)}"
    yield payments_table(judgement)
    earlier = len(judgement.deal.ruling or ()) - 1
    if earlier:
        yield f"{cli_text('earlier-rulings', n=earlier)} of this deal: kept, and no longer in force."
    last = done.last
    totals, settled = last.after.totals, totals_with_rulings(last.after)
    if settled is not None and totals != settled:
        rows = zip(last.session.players, totals or (None,) * len(settled), settled, strict=True)
        yield f"After deal {last.number}, the last of the session:"
        yield tabulate(
            [(name, *map(with_sign, each)) for name, *each in rows],
            ("total", "computed", "settled"),
            colalign=("left", "right", "right"),
            disable_numparse=True,
        )


def payments_table(judgement: Judgement) -> str:
    """A row a player, a column each for what is stated, what is computed, and each of the last three rulings."""
    names = judgement.session.players
    blank: tuple[int | None, ...] = (None,) * len(names)
    settled = judgement.settlement
    computed = (settled.payments or settled.marks) if settled else None
    columns = [(judgement.deal.stated.payments if judgement.deal.stated else None) or blank, computed or blank]
    rulings = (judgement.deal.ruling or ())[-3:]
    columns += [ruling.payments for ruling in rulings]
    last = len(rulings) - 1
    head = [f"ruled by {each.by}" if n == last else f"before, by {each.by}" for n, each in enumerate(rulings)]
    rows = [(name, *map(with_sign, each)) for name, *each in zip(names, *columns, strict=False)]
    return tabulate(
        rows,
        ("", "stated", "computed", *head),
        colalign=("left", *("right" for _ in columns)),
        maxheadercolwidths=[20, 8, 8, *(16 for _ in rulings)],
        disable_numparse=True,
    )
