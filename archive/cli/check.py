"""`schafkopf check`: read, replay, settle and compare, without storing anything."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import click
import msgspec

from archive.audit import Judgement
from archive.audit.bulk.judging import STEPS
from archive.audit.bulk.parts import Checked, check_lines
from archive.audit.german import told_in
from archive.audit.report import lone, report
from archive.audit.stream import judged
from archive.cli.files import File, opened, reading_options
from archive.cli.language import LANG, asked_for, voice
from archive.record import Finding, counted, in_german, remedy
from importers import record_lines

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
            found = list(judged(file.items(), rules))
            told = Checked(verdicts_of(found), findings_of(found), ())
            print_json(found, asked_for(context))
        else:
            told = checked(file, rules, language)
            print_findings(told.findings, told.verdicts.total(), language)
        bad |= any(each.severity != "note" for each in told.findings)
        verdicts += told.verdicts
    if not as_json:
        click.echo(summary(verdicts, language), err=True)
    context.exit(1 if bad else 0)


def checked(file: File, rules: str | None, language: str) -> Checked:
    """The verdicts and findings of a file; of JSON lines that tell no price step by step, in bulk."""
    told = partial(findings_of, language=language)
    if file.importer is record_lines and not file.findings and STEPS not in file.data:
        found = check_lines(file.data, file.source, rules, told)
        if found.verdicts or found.findings:
            return found._replace(findings=sorted(found.findings, key=line_of))
    every = list(judged(file.items(), rules))
    return Checked(verdicts_of(every), told(every), ())


def verdicts_of(found: list[Judgement | Finding]) -> Counter[str]:
    return Counter(each.verdict for each in found if isinstance(each, Judgement))


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


def print_json(found: list[Judgement | Finding], language: str = "en") -> None:
    """One object a deal, and one for each finding outside of any deal, in the order of their lines."""
    for each in sorted(found, key=line_of):
        told = report(each, language) if isinstance(each, Judgement) else lone(each, language)
        click.echo(msgspec.json.encode(told).decode())


def line_of(each: Judgement | Finding) -> int:
    """The line where a deal begins or a finding stands."""
    source = each.deal.source if isinstance(each, Judgement) else each.source
    return source.line if source else 0


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
