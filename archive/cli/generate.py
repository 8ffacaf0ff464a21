"""`schafkopf generate`: random legal records, for load tests and examples."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import click

from archive.cli.formats import replace_file
from archive.cli.language import LANG, cli_text, wrong_use
from archive.cli.options import FORCE, OUTPUT, rules_option
from archive.cli.terminal import with_progress
from archive.generate.evenings import DealtEvening, evenings
from archive.generate.mistakes import Mistake, with_mistakes
from archive.notation import write_toml
from archive.rules import Ruleset, installed_rulesets, load
from archive.say import did_you_mean

KINDS = {".jsonl": "jsonl", ".toml": "toml"}
TOGETHER = 2000  # deals after which the progress bar moves: they are dealt many at once
Evening = tuple[DealtEvening, list[Mistake]]


@click.command()
@click.argument("count", metavar="N", type=click.IntRange(min=1))
@rules_option("bavarian")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same bytes.")
@click.option("--disputes", is_flag=True, help="With mistakes in some deals; which these are is said on stderr.")
@OUTPUT
@click.option("--to", "kind", type=click.Choice([*KINDS.values()]), help="Where the ending of FILE does not tell it.")
@FORCE
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
    counts = {"deals": 0, "evenings": 0, "mistakes": 0}
    with replace_file(output, force) as out:
        every = dealt_evenings(ruleset, seed, count, disputes, kind == "toml")
        parts = with_progress(every, "Dealing", count, lambda one: len(one[0].deals), TOGETHER, output == "-")
        for evening, mistakes in parts:
            as_lines = (line + b"\n" for line in evening.lines)
            out.write(b"".join(as_lines) if kind == "jsonl" else write_toml(evening.session, evening.deals).encode())
            for mistake in mistakes:
                place = f"{output}:{counts['deals'] + mistake.line + 1}"
                if kind == "toml":
                    place = f"{output}: {cli_text('deal', language, n=mistake.line + 1)}"
                click.echo(f"{place}: {cli_text(mistake.what, language)}", err=True)
            for key, number in (("deals", len(evening.deals)), ("evenings", 1), ("mistakes", len(mistakes))):
                counts[key] += number
    texts = [cli_text(key, language, n=number) for key, number in counts.items() if key != "mistakes" or disputes]
    click.echo(", ".join((*texts, ruleset.id, f"{cli_text('seed', language)} {seed}")), err=True)


def ruleset_of(rules: str) -> Ruleset:
    """Return an installed ruleset; raises UsageError if there is none of that name."""
    ruleset = load(rules)[0] if rules in installed_rulesets() else None
    if ruleset is None:
        near = did_you_mean(rules, installed_rulesets())
        raise wrong_use("no-ruleset", rules=rules, there=tuple(installed_rulesets()), near=near)
    return ruleset


def dealt_evenings(ruleset: Ruleset, seed: int, count: int, disputes: bool, one: bool) -> Iterator[Evening]:
    """Yield the evenings, each with the mistakes in it; `one`: a single evening. Raises UsageError if nobody can
    play."""
    try:
        for number, evening in enumerate(evenings(ruleset, seed, count, one)):
            rng = Random(f"{seed} {ruleset.id} {number} mistakes")
            yield with_mistakes(evening, rng) if disputes else (evening, [])
    except LookupError as error:
        raise wrong_use("not-dealt", rules=ruleset.id, why=error) from None
