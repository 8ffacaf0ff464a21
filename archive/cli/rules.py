"""`schafkopf rules`: the rulesets, every value with its source, and what two of them do differently."""

from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill

import click

from archive.cli.known_names import RULESET
from archive.cli.language import LANG, cli_text, heads, reader_language, wrong_use
from archive.cli.options import JSON, print_rows
from archive.cli.terminal import with_pager
from archive.record import remedy, say_finding
from archive.rules import Ruleset, installed_rulesets, load, values
from archive.text.tables import tabulate
from archive.text.wording import incomplete_sentence, ruleset_title


@click.command()
@click.argument("names", type=RULESET, metavar="[NAME | compare A B]", nargs=-1)
@JSON
@LANG
@with_pager
def rules(names: tuple[str, ...], as_json: bool, language: str) -> None:
    """List the rulesets, show one with the source of every value, or compare two.

    NAME is a ruleset of the list or the path of a ruleset file; `schafkopf plugins` says where others come from.
    """
    if not names:
        every = [*map(_load, installed_rulesets())]
        if as_json:
            rows = [(each.id, each.title, each.incomplete or None, each.house.contracts) for each in every]
            print_rows(("ruleset", "title", "incomplete", "contracts"), rows)
        else:
            texts = [(each.id, full_title(each, language), ", ".join(each.house.contracts)) for each in every]
            click.echo(fitting_table(texts, heads("ruleset", "title", "contracts")))
    elif len(names) == 1 and names[0] != "compare":
        print_ruleset(_load(names[0]), language, as_json)
    elif len(names) == 3 and names[0] == "compare":
        print_differences(_load(names[1]), _load(names[2]), language, as_json)
    else:
        raise wrong_use("rules-what")


def full_title(ruleset: Ruleset, language: str) -> str:
    """Return the title, with a word if the sources are incomplete."""
    title = ruleset_title(ruleset, language)
    return cli_text("rules-incomplete", language, title=title) if ruleset.incomplete else title


def _load(name: str) -> Ruleset:
    ruleset, findings = load(name, None, Path())
    if ruleset is None:
        language = reader_language()
        remedies = dict.fromkeys(remedy(finding.rule, language) for finding in findings)
        texts = tuple(say_finding(finding, language) for finding in findings)
        raise wrong_use("findings-and-remedies", findings=texts, remedies=" ".join(remedies))
    return ruleset


def print_ruleset(ruleset: Ruleset, language: str, as_json: bool) -> None:
    """Print a ruleset value by value, each with its source."""
    rows = [(key, value, ruleset.cites[key]) for key, value in values(ruleset).items() if key in ruleset.cites]
    if as_json:
        print_rows(("ruleset", "key", "value", "source"), ((ruleset.id, *row) for row in rows))
        return
    click.echo(click.style(f"{ruleset.id}: {ruleset_title(ruleset, language)}", bold=True))
    if ruleset.incomplete:
        text = fill(incomplete_sentence(ruleset, language), get_terminal_size((160, 24)).columns)
        click.echo(click.style(text, fg="yellow"))
    for number, title in ruleset.sources.items():
        click.echo(f"  {number}  {title}")
    click.echo()
    click.echo(fitting_table(rows, heads("key", "value", "source")))


def print_differences(one: Ruleset, other: Ruleset, language: str, as_json: bool) -> None:
    """Print the values in which two rulesets differ."""
    ours, theirs = values(one), values(other)
    both = [(key, ours.get(key, "-"), theirs.get(key, "-")) for key in ours | theirs]  # a table that is absent is "-"
    rows = [row for row in both if row[1] != row[2]]
    if as_json:
        print_rows(("key", "values"), ((key, {one.id: left, other.id: right}) for key, left, right in rows))
        return
    for each in (one, other):
        if each.incomplete:
            click.echo(click.style(incomplete_sentence(each, language), fg="yellow"))
    click.echo(fitting_table(rows, (*heads("key"), one.id, other.id)))


def fitting_table(rows: list[tuple[str, str, str]], head: tuple[str, ...]) -> str:
    """Return a table as wide as the terminal at most: the last two columns share what the first leaves."""
    first, second = (max(len(row[at]) for row in (head, *rows)) for at in (0, 1))
    room = max(get_terminal_size((160, 24)).columns - first - 4, 32)
    second = min(second, room // 2, 48)
    return tabulate(rows, head, tablefmt="simple", maxcolwidths=[None, second, min(room - second, 60)])
