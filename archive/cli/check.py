"""`schafkopf check`: read, replay, settle and compare, without storing anything."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import click
import msgspec

from archive.audit import Judgement
from archive.audit.door import check_records, judge_records, line_of
from archive.audit.german import told_in
from archive.audit.report import lone, report
from archive.cli.files import opened, reading_options
from archive.cli.language import LANG, asked_for, voice
from archive.record import Finding, counted, in_german, remedy

VERDICTS = {"agrees": "green", "differs": "red", "undecidable": "yellow", "unplayable": "red"}
PLURAL = {"agrees": "agree", "differs": "differ"}


@click.command()
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a deal, in order.")
@click.option("--watch", "watched", is_flag=True, help="After each save show what is wrong or missing, until Ctrl-C.")
@LANG
@click.pass_context
def check(
    context: click.Context,
    given: tuple[str, ...],
    as_json: bool,
    watched: bool,
    language: str,
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

        context.exit(watch(given, rules, format_name, language=language))
    verdicts: Counter[str] = Counter()
    bad = False
    for file in opened(given, format_name):
        if as_json:
            for text, is_bad in judge_records(file.records(), rules, partial(to_json, language=asked_for(context))):
                click.echo(text, nl=False)
                bad |= is_bad
            continue
        found = check_records(file.records(), rules, partial(findings_of, language=language))
        print_findings(found.findings, found.verdicts.total(), language)
        bad |= any(each.severity != "note" for each in found.findings)
        verdicts += found.verdicts
    if not as_json:
        click.echo(summary(verdicts, language), err=True)
    context.exit(1 if bad else 0)


def findings_of(found: list[Judgement | Finding], language: str = "en") -> list[Finding]:
    """Every finding, of reading and of judging, in the order of its line."""
    every: list[Finding] = []
    for each in found:
        if isinstance(each, Finding):
            every.append(told_in(each, language))
        else:
            names = each.session.players
            every += (in_german(one, names) for one in each.findings) if language == "de" else each.findings
    return sorted(every, key=line_of)


def print_findings(findings: Iterable[Finding], deals: int = 0, language: str = "en") -> None:
    """One line a finding, and below the last what to do about each rule. Where the file holds more than one deal
    (`deals` of them were read), each line ends with the number of its deal."""
    findings = list(findings)
    several = max([deals, *(each.source.deal or 0 for each in findings if each.source)]) > 1
    rules: dict[str, None] = {}
    say = voice(language)
    for each in findings:
        place = f"{each.source.path}:{each.source.line}" if each.source else "-"
        rule = click.style(each.rule, fg="red" if each.severity == "error" else "yellow")
        deal = f" [{say(f'deal {each.source.deal}')}]" if several and each.source and each.source.deal else ""
        click.echo(f"{place}: {rule} {each.message}{deal}")
        rules[each.rule] = None
    for rule in rules:
        click.echo(click.style(f"  {rule}: {remedy(rule, language)}", dim=True))


def to_json(judged: Iterable[Judgement | Finding], language: str = "en") -> tuple[bytes, bool]:
    """One object a deal and a line, and one for each finding outside of any deal; whether any finding is more than a
    note."""
    lines, bad = list[bytes](), False
    for each in judged:
        findings = (each,) if isinstance(each, Finding) else each.findings
        bad |= any(one.severity != "note" for one in findings)
        told = lone(each, language) if isinstance(each, Finding) else report(each, language)
        lines.append(msgspec.json.encode(told) + b"\n")
    return b"".join(lines), bad


def summary(verdicts: Counter[str], language: str = "en") -> str:
    """How many deals, and how many of each verdict."""
    say = voice(language)
    told = list(_told(verdicts, say))
    return say(counted(verdicts.total(), "deal")) + (": " + ", ".join(told) if told else "")


def _told(verdicts: Counter[str], say: Callable[[str], str]) -> Iterator[str]:
    for verdict, colour in VERDICTS.items():
        if verdicts[verdict]:
            word = verdict if verdicts[verdict] == 1 else PLURAL.get(verdict, verdict)
            yield click.style(f"{verdicts[verdict]} {say(word)}", fg=colour)
