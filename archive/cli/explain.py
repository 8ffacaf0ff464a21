"""`schafkopf audit explain`: the likeliest explanations first, what cannot be told from them, how many others fit."""

from collections.abc import Iterable, Iterator
from itertools import chain
from textwrap import wrap

import click

from archive.analysis.proofs import Proof, proofs
from archive.analysis.report import proofs_report
from archive.analysis.solver import Solver
from archive.cli.archive_file import DB, check_session, deal_number, judged_deal
from archive.cli.known_names import DEAL, SESSION
from archive.cli.language import LANG, asked_for, cli_text, wrong_use
from archive.cli.options import print_object
from archive.cli.terminal import width, with_pager
from archive.cli.verdicts import DIFFERENT
from archive.explain import Explained, Explanation, SessionExplained, explain_session, offer_of, report
from archive.explain import explain as explain_deal
from archive.explain.report import alike
from archive.judge import Judgement
from archive.judge.decisive_facts import say_decisive_facts
from archive.judge.set_right import say_set_right, set_right_report
from archive.judge.types import case_of
from archive.rules import HERE
from archive.say import say
from archive.store import load_beside, open_read
from archive.store.resettle import judge_session_again
from archive.text.analysis import proof_lines
from archive.text.deal import amounts_text, value_text
from archive.text.numbers import without_plus
from archive.text.texts import page_text

MOST = 5  # explanations that are shown; a line says how many more fit
SHOWN_KEYS = {"amounts": "payments"}  # words for keys that records do not have


@click.command()
@click.argument("deal", required=False, type=DEAL)
@click.option("--session", type=SESSION, help="Explain all of a session by one setting instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@LANG
@DB
@click.pass_context
@with_pager
def explain(
    context: click.Context, /, deal: str | None, session: int | None, as_json: bool, language: str, db: str
) -> None:
    """Find what gives the amounts that DEAL states: other readings of the house rules, slips of a recorder.

    The likeliest come first, with how many others fit, and plainly that none does. Exit status: 0 where the deal
    agrees or is undecidable, 1 where it differs or is unplayable. Of a claim, a revoke and a surrender it says what the
    search over open cards proves.
    """
    if (deal is None) == (session is None):
        raise wrong_use("explain-what")
    if deal is None:
        conn = open_read(db)
        check_session(conn, db, session)
        judgements = [judgement for _, judgement in judge_session_again(conn, session or 0)]
        of_session = explain_session(judgements)
        fields, lines = report.session_report(of_session), session_lines(of_session, width(), language)
    else:
        judgements = [judged_deal(db, deal)]
        conn = open_read(db)
        # with the deals before and after, whose rows a recorder may have mistaken for its own
        of_deal = explain_deal(judgements[0], load_beside(conn, deal_number(conn, db, deal), judgements[0]))
        fields = report.explained_report(of_deal) | {"sets_right": set_right_report(judgements[0], asked_for(context))}
        proved = proofs_of(judgements[0])
        fields |= proofs_report(judgements[0], proved)
        lines = chain(
            explanation_lines(judgements[0], of_deal, width(), language),
            proof_lines(judgements[0], proved, width(), language),
        )
    if as_json:
        print_object(fields)
    for line in () if as_json else lines:
        click.echo(line)
    context.exit(int(any(judgement.verdict in DIFFERENT for judgement in judgements)))


def proofs_of(judgement: Judgement) -> tuple[Proof, ...]:
    """Return the proofs of a claim, a revoke or a surrender of a deal."""
    case = case_of(judgement)
    return proofs(case, Solver(fast=False)) if case else ()


def explanation_lines(judgement: Judgement, explained: Explained, room: int, language: str = "en") -> Iterator[str]:
    """Yield the sentence, and what would decide a deal that lacks something; what is stated beside what is computed;
    then the explanations by rank, in lines of `room` characters at most."""
    yield from (click.style(line, bold=True) for line in wrap(say(explained.message, language, explained.faces), room))
    if explained.state == "undecidable" and (facts := say_decisive_facts(judgement, language)):
        label = cli_text("deciding" if len(facts) > 1 else "deciding-one", language)
        yield from wrap(f"{label}: {'; '.join(facts)}", room, subsequent_indent="  ")
    by = "added-up" if explained.explanations and explained.explanations[0].changes[0].basis else "computed"
    for key, value in explained.stated.items():
        of = f" ({page_text(f'key-{SHOWN_KEYS.get(key, key)}', language)})" if len(explained.stated) > 1 else ""
        for label, amounts in (("stated", value), (by, explained.computed[key])):
            yield f"  {cli_text(label, language)}{of}: {format_value(judgement, key, amounts, language)}"
    for text in say_set_right(judgement, language):
        yield from wrap(text, room, initial_indent="  ", subsequent_indent="    ")
    for rank, explanation in enumerate(explained.explanations[:MOST], 1):
        yield from _ranked_lines(rank, explanation, room, language, explained.faces)
    if (more := len(explained.explanations) - MOST) > 0:
        yield f"  {cli_text('more', language, n=more)}"
    yield from _alike_lines(explained.explanations[:MOST], room, language)


def _ranked_lines(rank: int, explanation: Explanation, room: int, language: str, faces: str) -> Iterator[str]:
    """Yield an explanation with its citation, and other ways of the same cause."""
    text = say(offer_of(explanation.changes), language, faces)
    here = cli_text("here", language)  # the settings of the table, else a document's own heading
    cited = (change.cite for change in explanation.changes if change.cite)
    cites = "; ".join(dict.fromkeys(here if cite.startswith(HERE) else cite for cite in cited))
    head = f"{rank:>3}. "
    yield from wrap(text + (f" ({cites})" if cites else ""), room, initial_indent=head, subsequent_indent=" " * 5)
    for changes in explanation.ways[:2]:
        way = f"{cli_text('ways', language)}: {say(offer_of(changes), language, faces)}"
        yield from wrap(way, room, initial_indent=" " * 5, subsequent_indent=" " * 7)
    if len(explanation.ways) > 2:
        yield " " * 5 + cli_text("more", language, n=len(explanation.ways) - 2)


def _alike_lines(explanations: Iterable[Explanation], room: int, language: str) -> Iterator[str]:
    """Yield which explanations cannot be distinguished from the first, and why not."""
    first, *others = explanations or (None,)
    why = {
        rank: say(argument, language)
        for rank, each in enumerate(others, 2)
        if first and (argument := alike(first, each))
    }
    if why:
        text = f"{', '.join(map(str, why))}: {cli_text('alike', language)}. {' '.join(dict.fromkeys(why.values()))}"
        yield from (click.style(line, dim=True) for line in wrap(text, room, subsequent_indent="   "))


def session_lines(explained: SessionExplained, room: int, language: str = "en") -> Iterator[str]:
    """Yield the sentence on a session, then each setting that explains it, with the deals it explains, leaves and
    breaks."""
    yield from (click.style(line, bold=True) for line in wrap(say(explained.message, language, explained.faces), room))
    for rank, reading in enumerate(explained.readings, 1):
        says = say(reading.change.message, language, explained.faces)
        yield from wrap(says, room, initial_indent=f"{rank:>3}. ", subsequent_indent=" " * 5)
        deals = {"explains": reading.explains, "stay": reading.stay, "breaks": reading.breaks}
        parts = [cli_text(key, language, deals=each, n=len(each)) for key, each in deals.items() if each]
        yield from wrap("; ".join(parts), room, initial_indent=" " * 5, subsequent_indent=" " * 5)


def format_value(judgement: Judgement, key: str, value: object, language: str) -> str:
    """Return amounts by name, or a single value, in words unless it is a number."""
    players = judgement.session.players
    if isinstance(value, tuple) and len(value) == len(players):
        return amounts_text(players, value, without_plus)
    return value_text(players, SHOWN_KEYS.get(key, key), value, language)
