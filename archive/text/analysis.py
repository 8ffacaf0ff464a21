"""An analysis in words and as a table."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from textwrap import wrap

from archive.analysis import Analysis, Decision, Expected
from archive.analysis.levels import Level
from archive.analysis.open_cards import Place
from archive.analysis.proofs import Proof
from archive.cards import faces_in, in_faces
from archive.judge import Judgement
from archive.judge.sentences import faces_of
from archive.judge.types import unit_of_deal
from archive.say import Message, message, say
from archive.text.numbers import format_decimal, format_money
from archive.text.tables import tabulate
from archive.text.texts import TEXTS


def result_message(level: Level) -> Message:
    """Return the name of a result: won or lost, and how high."""
    settled = level.settlement
    if settled.undecided or settled.won is None:
        return message("analysis.result-undecided")
    high = "-schwarz" if settled.schwarz else "-schneider" if settled.schneider else ""
    return message(f"analysis.result-{'won' if settled.won else 'lost'}{high}")


def paid_text(judgement: Judgement, amounts: Sequence[int], language: str) -> str:
    """Return the amount of each player, cents as euros."""
    unit, pairs = unit_of_deal(judgement), zip(judgement.session.players, amounts, strict=True)
    return ", ".join(
        f"{name} {format_money(each, 'ct' if unit == 'ct' else '', TEXTS[language])}" for name, each in pairs
    )


def decision_message(judgement: Judgement, analysis: Analysis, decision: Decision, language: str) -> Message:
    """Return the sentence about a card: what it did to the result, and which cards would have kept it."""
    return message(
        "analysis.decisive",
        trick=decision.trick,
        player=judgement.session.players[decision.seat],
        card=decision.card,
        cards=" ".join(decision.best_cards),
        before=result_message(analysis.level(decision.best)),
        after=result_message(analysis.level(decision.value)),
        amount=cost_text(judgement, decision.loss, language),
    )


def summary(judgement: Judgement, analysis: Analysis, language: str) -> tuple[Message, ...]:
    """Return the sentences about a deal: the result of perfect play, the actual one, and where it turned."""
    names = judgement.session.players
    ours = tuple(name for name, side in zip(names, judgement.replay.sides, strict=False) if side == "declarer") if (
        judgement.replay
    ) else ()  # fmt: skip
    ends = [
        message(
            f"analysis.{id}",
            players=ours,
            n=len(ours),
            result=result_message(analysis.level(number)),
            amounts=paid_text(judgement, analysis.level(number).payments, language),
        )
        for id, number in (("start", analysis.start), ("end", analysis.end))
    ]
    if analysis.decisive is None:
        return (*ends, message("analysis.nothing-lost"))
    return (*ends, decision_message(judgement, analysis, analysis.decisive, language), message("analysis.open-cards"))


def mistake_table(
    judgement: Judgement, analysis: Analysis, known: Mapping[Place, Expected], width: int, language: str, faces: str
) -> str:
    """Return a table of every card that cost its player something with open cards; empty if none did. `known` is what
    the players could know, in a column of its own. Cells are wrapped if lines would be longer than `width`."""
    names = judgement.session.players
    rows = [
        (
            f"{each.trick}.{each.place}",
            names[each.seat],
            in_faces(each.card, faces),
            in_faces(" ".join(each.best_cards), faces),
            cost_text(judgement, each.loss, language),
            say(result_message(analysis.level(each.value)), language),
            *((expected_text(judgement, known.get(each.at), language),) if known else ()),
        )
        for each in analysis.decisions
        if each.loss
    ]
    head = [say(message(f"analysis.column-{key}"), language) for key in (*COLUMNS, *(("known",) if known else ()))]
    make = partial(tabulate, rows, head, "simple", disable_numparse=True)
    table = make() if rows else ""
    narrow = list(NARROW[: len(head)])
    is_wide = len(table.partition("\n")[0]) > width
    return make(maxcolwidths=narrow, maxheadercolwidths=narrow) if is_wide else table


NARROW = (6, 10, 8, 8, 9, 9, 15)  # characters of each column
COLUMNS = ("trick", "player", "played", "better", "cost", "result")


def cost_text(judgement: Judgement, amount: int, language: str) -> str:
    """Return a cost without a sign, cents as euros."""
    unit = unit_of_deal(judgement)
    return format_money(amount, "ct" if unit == "ct" else "", TEXTS[language]).lstrip("+")


def expected_text(judgement: Judgement, expected: Expected | None, language: str) -> str:
    """Return the cost of a card by what its player could know, with its standard error; in words if not significant."""
    if expected is None:
        return ""
    if not expected.is_clear:
        return say(message("analysis.no-difference"), language)
    loss, error = (format_decimal(each, 1, TEXTS[language]) for each in (expected.loss, expected.error))
    return f"{loss} ± {error}{' ct' if unit_of_deal(judgement) == 'ct' else ''}"


def analysis_lines(
    judgement: Judgement, analysis: Analysis, known: Mapping[Place, Expected], width: int, language: str
) -> Iterator[str]:
    """Yield the analysis of a deal for the terminal, in lines of at most `width` characters."""
    faces = faces_in(faces_of(judgement), language)
    for sentence in summary(judgement, analysis, language):
        yield from wrap(say(sentence, language, faces), width)
    table = mistake_table(judgement, analysis, known, width, language, faces)
    if table:
        yield ""
        yield table


# --- proofs of what is disputed ---------------------------------------------------------------------------------------


def proof_message(judgement: Judgement, proof: Proof, language: str) -> Message:
    """Return a proof in a sentence, with its line of play."""
    names = judgement.session.players
    facts = {"trick": proof.at[0], "player": names[proof.seat], "cards": " ".join(proof.order or proof.line)}
    if proof.order:
        return message("analysis.proof-claim-order", **facts)
    if proof.level is None:
        return message(f"analysis.proof-claim-{'right' if proof.holds else 'wrong'}", **facts)
    kind = "decided" if proof.is_decided else proof.kind
    paid = paid_text(judgement, proof.level.payments, language)
    return message(f"analysis.proof-{kind}", **facts, result=result_message(proof.level), amounts=paid)


def proof_messages(judgement: Judgement, found: Sequence[Proof], language: str) -> tuple[Message, ...]:
    """Return each proof in a sentence."""
    return tuple(proof_message(judgement, each, language) for each in found)


def proof_lines(judgement: Judgement, found: Sequence[Proof], width: int, language: str) -> Iterator[str]:
    """Yield each proof for the terminal, after an empty line, in lines of at most `width` characters."""
    faces = faces_in(faces_of(judgement), language)
    for sentence in proof_messages(judgement, found, language):
        yield from ("", *wrap(say(sentence, language, faces), width))
