"""`schafkopf generate`: random legal records, for load tests and examples."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from archive.cli.language import LANG, voice
from archive.cli.output import placed, writing_options
from archive.record import counted

if TYPE_CHECKING:
    from archive.generate.evenings import Made
    from archive.generate.slips import Slip
    from archive.rules import Ruleset

KINDS = {".jsonl": "jsonl", ".toml": "toml"}
TOGETHER = 2000  # deals after which the progress bar moves: they are dealt many at once
Told = tuple["Made", "list[Slip]"]


@click.command()
@click.argument("count", metavar="N", type=click.IntRange(min=1))
@click.option("--rules", default="bavarian", show_default=True, help="The ruleset, see `schafkopf rules`.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same bytes.")
@click.option("--disputes", is_flag=True, help="With mistakes in some deals; which these are is said on stderr.")
@click.option("-o", "--output", default="-", metavar="FILE", help="Write to this file instead of standard output.")
@click.option("--to", "kind", type=click.Choice([*KINDS.values()]), help="Where the ending of FILE does not tell it.")
@writing_options
@LANG
def generate(
    count: int, rules: str, seed: int, disputes: bool, output: str, kind: str | None, force: bool, language: str
) -> None:
    """Write N random legal deals: whole evenings, with dealers in turn, auctions, doubles, tricks and results.

    What they state is what the rules give: `schafkopf check` finds nothing. With --disputes people have made mistakes:
    sums and points are wrong, a card is played that must not be, cards are missing. JSON lines hold evening after
    evening; TOML is one. A longer run begins with the evenings of a shorter one.
    """
    ruleset = ruleset_of(rules)
    kind = kind or KINDS.get(Path(output).suffix.lower(), "jsonl")
    say, evenings, deals, wrong = voice(language), 0, 0, 0
    with placed(output, force) as out:
        for made, slips in shown(made_by(ruleset, seed, count, disputes, kind == "toml"), count, output):
            out.write(text(made, kind))
            for slip in slips:
                place = (
                    f"{output}:{deals + slip.line + 1}"
                    if kind == "jsonl"
                    else f"{output}: {say(f'deal {slip.line + 1}')}"
                )
                click.echo(f"{place}: {say(slip.what)}", err=True)
            evenings, deals, wrong = evenings + 1, deals + len(made.lines), wrong + len(slips)
    told = [say(counted(deals, "deal")), say(counted(evenings, "evening"))]
    told += [say(f"{wrong} with a mistake")] if disputes else []
    click.echo(", ".join((*told, f"{ruleset.id}, {say('seed')} {seed}")), err=True)


def ruleset_of(rules: str) -> "Ruleset":
    """A bundled ruleset; raises UsageError where there is none of that name."""
    from archive.rules import bundled, load

    found, _ = load(rules) if rules in bundled() else (None, ())
    if found is None:
        raise click.UsageError(f"no ruleset {rules!r}; there are {', '.join(bundled())}")
    return found


def made_by(ruleset: "Ruleset", seed: int, count: int, disputes: bool, one: bool) -> Iterator[Told]:
    """The evenings, with the mistakes in them."""
    from random import Random

    from archive.generate.evenings import evenings
    from archive.generate.slips import mistaken

    try:
        for number, made in enumerate(evenings(ruleset, seed, count, one)):
            yield mistaken(made, Random(f"{seed} {ruleset.id} {number} mistakes")) if disputes else (made, [])
    except LookupError as error:
        raise click.UsageError(f"{ruleset.id} cannot be dealt: {error}") from None


def text(made: "Made", kind: str) -> bytes:
    """The evening in its encoding."""
    if kind == "jsonl":
        return b"".join(line + b"\n" for line in made.lines)
    from archive.notation import read_lines, write_toml
    from archive.record import Deal, Source

    found = read_lines(b"\n".join(made.lines), Source(""))
    return write_toml(made.session, [deal for deal in found if isinstance(deal, Deal)]).encode()


def shown(every: Iterator[Told], count: int, output: str) -> Iterator[Told]:
    """The same, with a progress bar on a terminal."""
    if output == "-" or not sys.stderr.isatty():
        yield from every
        return
    with click.progressbar(length=count, label="Dealing", file=sys.stderr, update_min_steps=TOGETHER) as bar:
        for each in every:
            yield each
            bar.update(len(each[0].lines))
