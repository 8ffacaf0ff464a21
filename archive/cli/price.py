"""`schafkopf price`: what a deal costs, told in words."""

from typing import Any

import click

from archive.cli.help import texts_of, words_in
from archive.cli.language import LANG, asked_for, cli_text, wrong_use
from archive.cli.options import print_object, rules_option
from archive.cli.terminal import width
from archive.judge import Judgement
from archive.judge.price import price_of, uncounted_facts
from archive.judge.price_range import price_range, say_price_range, with_known_lines
from archive.judge.report import finding_report, report
from archive.judge.sentences import say_reason
from archive.judge.types import unit_of_deal
from archive.notation.game_words import NO_GAME
from archive.record import Finding, say_finding
from archive.say import Message, say
from archive.text.deal import amounts_text, settlement_rows
from archive.text.tables import tabulate


@click.command()
@click.argument("deal", nargs=-1, required=True)
@rules_option("pub")
@click.option("--tariff", help="What games cost, as 10/20/50 or 10/50.")
@click.option("--json", "as_json", is_flag=True, help="Print one object, as `check --json` has it.")
@LANG
@click.pass_context
def price(
    context: click.Context, deal: tuple[str, ...], rules: str, tariff: str | None, as_json: bool, language: str
) -> None:
    """Price a DEAL told in words: who played what, with whom, how it ended, runners, knocks, Kontra.

    No archive is needed, and no names. Exit status: 0 priced, 1 what is told contradicts itself or the rules, 2 not
    understood, or too little told.
    """
    settings: dict[str, Any] = {"tariff": tariff} if tariff else {}
    if not (text := " ".join(deal)).strip():
        raise wrong_use("empty", option=words_in(texts_of(language), "DEAL"))
    priced = price_of(text, rules, settings, language)
    if isinstance(priced, Judgement) and as_json:
        print_object(report(priced, asked_for(context)))
    elif isinstance(priced, Judgement):
        print_price(priced, language)
    elif as_json:
        reports = [finding_report(each, asked_for(context)) for each in priced]
        print_object({"price": None, "findings": reports})
    else:
        print_findings(priced, language)
    context.exit(exit_status(priced))


def exit_status(priced: Judgement | tuple[Finding, ...]) -> int:
    """Return 0 if there is a price, 1 if something contradicts it, 2 if the words do not give one."""
    if not isinstance(priced, Judgement):
        return 2
    if any(finding.severity == "error" for finding in priced.findings):
        return 1
    return 0 if priced.basis == "facts" else 2


def print_findings(findings: tuple[Finding, ...], language: str) -> None:
    for finding in findings:
        click.echo(say_finding(finding, language), err=True)


def print_price(priced: Judgement, language: str) -> None:
    """Print the lines of the price with their sources, what each pays, what was assumed, and what contradicts it."""
    settled = priced.settlement
    if settled and priced.basis == "facts":
        if settled.lines:
            click.echo(price_table(priced, language))
        if priced.deal.game and priced.deal.game.contract in NO_GAME and not any(settled.payments or ()):
            click.echo(cli_text("price-nobody", language))
        elif settled.payments is not None:
            unit = unit_of_deal(priced)
            amounts = amounts_text(priced.session.players, settled.payments)
            click.echo(f"{cli_text('price-pays', language)}: {amounts}{f' ({unit})' if unit else ''}")
        print_unwritten(priced.unwritten, language)
        for each in uncounted_facts(priced):
            click.echo(say(each, language))
    elif not any(finding.severity == "error" for finding in priced.findings):
        if known := price_range(priced):  # what the words leave open
            if known.lines:
                click.echo(price_table(with_known_lines(priced, known), language))
            for text in say_price_range(priced, known, language):
                click.echo(text)
            print_unwritten(known.unwritten, language)
        click.echo(say_reason(priced, language), err=True)
    is_priced = priced.basis == "facts"  # a note says what the price rests on
    print_findings(tuple(each for each in priced.findings if is_priced or each.severity != "note"), language)


def print_unwritten(facts: tuple[Message, ...], language: str) -> None:
    """Print the facts that were assumed not to have happened; nothing if there are none."""
    if facts:
        click.echo(f"{cli_text('price-unwritten', language)}: {', '.join(say(each, language) for each in facts)}")


def price_table(priced: Judgement, language: str) -> str:
    """Return the lines of the price, each with what it adds and where the rule stands."""
    rows = settlement_rows(priced, language)
    head = [cli_text(f"price-{key}", language) for key in ("line", "amount", "running", "source")]
    source = min(36, max((len(row[-1]) for row in rows), default=0))
    room = max(24, width() - source - 22)  # as tabulate pads the columns of numbers
    return tabulate(rows, head, "simple", colalign=("left", "right"), maxcolwidths=[room, None, None, 36])
