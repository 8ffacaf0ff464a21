"""`schafkopf check`: read, replay, settle and compare, without storing anything."""

from collections import Counter
from collections.abc import Iterable, Iterator

import click
import msgspec

from archive.audit import Judgement
from archive.audit.report import lone, report
from archive.audit.stream import judged
from archive.cli.files import opened, reading_options
from archive.record import Finding, counted, remedy

VERDICTS = {"agrees": "green", "differs": "red", "undecidable": "yellow", "unplayable": "red"}
PLURAL = {"agrees": "agree", "differs": "differ"}


@click.command()
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a deal, in order.")
@click.option("--watch", "watched", is_flag=True, help="After each save show what is wrong or missing, until Ctrl-C.")
@click.pass_context
def check(
    context: click.Context,
    given: tuple[str, ...],
    as_json: bool,
    watched: bool,
    rules: str | None,
    format_name: str | None,
) -> None:
    """Check records: replay and settle every deal, and compare with what the record states.

    Prints each finding as FILE:LINE: RULE MESSAGE, and which deal of the file it is where there are several. Nothing
    is stored. Exit status: 0 all well, 1 findings.
    """
    if watched and as_json:
        raise click.UsageError("--watch shows a screen; --json is for programs")
    if watched:
        from archive.cli.watch import watch

        context.exit(watch(given, rules, format_name))
    verdicts: Counter[str] = Counter()
    bad = False
    for file in opened(given, format_name):
        found = list(judged(file.items(), rules))
        bad |= any(each.severity != "note" for each in findings_of(found))
        verdicts.update(each.verdict for each in found if isinstance(each, Judgement))
        if as_json:
            print_json(found)
        else:
            print_findings(findings_of(found), sum(isinstance(each, Judgement) for each in found))
    if not as_json:
        click.echo(summary(verdicts), err=True)
    context.exit(1 if bad else 0)


def findings_of(found: list[Judgement | Finding]) -> list[Finding]:
    """Every finding, of reading and of judging, in the order of its line."""
    every = [each for each in found if isinstance(each, Finding)]
    every += [finding for each in found if isinstance(each, Judgement) for finding in each.findings]
    return sorted(every, key=line_of)


def print_findings(findings: Iterable[Finding], deals: int = 0) -> None:
    """One line a finding, and below the last what to do about each rule. Where the file holds more than one deal
    (`deals` of them were read), each line ends with the number of its deal."""
    findings = list(findings)
    several = max([deals, *(each.source.deal or 0 for each in findings if each.source)]) > 1
    rules: dict[str, None] = {}
    for each in findings:
        place = f"{each.source.path}:{each.source.line}" if each.source else "-"
        rule = click.style(each.rule, fg="red" if each.severity == "error" else "yellow")
        deal = f" [deal {each.source.deal}]" if several and each.source and each.source.deal else ""
        click.echo(f"{place}: {rule} {each.message}{deal}")
        rules[each.rule] = None
    for rule in rules:
        click.echo(click.style(f"  {rule}: {remedy(rule)}", dim=True))


def print_json(found: list[Judgement | Finding]) -> None:
    """One object a deal, and one for each finding outside of any deal, in the order of their lines."""
    for each in sorted(found, key=line_of):
        click.echo(msgspec.json.encode(report(each) if isinstance(each, Judgement) else lone(each)).decode())


def line_of(each: Judgement | Finding) -> int:
    """The line where a deal begins or a finding stands."""
    source = each.deal.source if isinstance(each, Judgement) else each.source
    return source.line if source else 0


def summary(verdicts: Counter[str]) -> str:
    """How many deals, and how many of each verdict."""
    told = list(_told(verdicts))
    return counted(verdicts.total(), "deal") + (": " + ", ".join(told) if told else "")


def _told(verdicts: Counter[str]) -> Iterator[str]:
    for verdict, colour in VERDICTS.items():
        if verdicts[verdict]:
            word = verdict if verdicts[verdict] == 1 else PLURAL.get(verdict, verdict)
            yield click.style(f"{verdicts[verdict]} {word}", fg=colour)
