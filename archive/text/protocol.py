"""Deals as a protocol to print and to keep: plain text, 78 columns, nothing that needs a screen to be understood."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import fill

from tabulate import tabulate

from archive.cards import NAMES, in_faces
from archive.judge import Judgement
from archive.judge.sentences import faces_of, say_reason
from archive.record import Finding, Session, remedy
from archive.settle.rulings import totals_with_rulings
from archive.text import deal as deal_text
from archive.text.chalk import chalk_sheet
from archive.text.texts import EN as TEXT
from archive.text.wording import sentence

WIDTH = 78
LABEL = 11  # what stands before the text of a line in the head
BETWEEN = "─" * WIDTH  # deals
AROUND = "═" * WIDTH  # the head of a session
TRICKS = "Tricks: > led, * took the trick, ! against the rules"


def protocol(played: Iterable[tuple[Session, Judgement]], language: str = "en") -> Iterator[str]:
    """The protocol of deals, each with the head of its session: piece by piece, each ending with a line break. What the
    engine says of a deal is told in `language`: reasons, findings, the lines of the settlement.

    Another Session object begins another evening, with a head of its own; after its last deal stands the score.
    """
    for number, (_, group) in enumerate(groupby(played, key=lambda pair: id(pair[0]))):
        deals: list[Judgement] = []
        for head, judgement in group:
            if not deals:
                yield ("\f" if number else "") + fit_width(session_head(head, judgement))
            text = deal_protocol(judgement, language)
            yield fit_width(f"{BETWEEN}\n{text}" if deals else text)
            deals.append(judgement)
        if len(deals) > 1:
            yield fit_width(f"{AROUND}\n{running_totals(deals)}")


def fit_width(text: str) -> str:
    """The text with whatever is too wide all the same (a table of long names) on several lines."""
    lines = (line if len(line) <= WIDTH else fill(line, WIDTH, subsequent_indent="  ") for line in text.splitlines())
    return "".join(f"{line.rstrip()}\n" for line in lines)


def session_head(head: Session, first: Judgement) -> str:
    """The facts that hold for all deals of a session, and the meaning of the letters on its cards."""
    rules = first.ruleset
    fields = {
        "Event": ", ".join(part for part in (head.event, head.place) if part),
        "Date": " ".join(part for part in (head.date, head.time) if part),
        "Table": ", ".join(part for part in (head.table, head.list) if part),
        "Players": f"{', '.join(head.players)} (in the direction of play)",
        "Rules": f"{rules.title} ({rules.id})" if rules else head.rules,
        "House": ", ".join(f"{key} {_setting(value)}" for key, value in (head.house or {}).items()),
        "Inferred": "; ".join(first.session.inferred or ()),
        "Recorder": head.recorder or "",
        "Origin": ", ".join(part for part in (head.origin, head.url, head.licence) if part),
        "Note": head.note or "",
        "Cards": card_letters(faces_of(first)),
    }
    return "\n".join((AROUND, *_label_lines(fields), deal_text.incomplete_note(first, WIDTH), AROUND)).replace(
        "\n\n", "\n"
    )


def card_letters(faces: str) -> str:
    """The meaning of the letters on the cards of a pack."""
    suits, ranks = NAMES[faces]
    names = {in_faces(f"{letter}9", faces).removesuffix("9"): name for letter, name in suits.items()}
    names |= {in_faces(f"E{letter}", faces)[1:]: name for letter, name in ranks.items()}
    return ", ".join(f"{letter} {name}" for letter, name in names.items())


def _setting(value: object) -> str:
    if isinstance(value, dict):
        return f"({', '.join(f'{key} {_setting(each)}' for key, each in value.items())})"
    if isinstance(value, list | tuple):
        return " ".join(map(_setting, value)) or "none"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _label_lines(fields: dict[str, str]) -> Iterator[str]:
    for label, text in fields.items():
        if text:
            yield fill(
                text, WIDTH, initial_indent=f"{label:{LABEL}}", subsequent_indent=" " * LABEL, break_on_hyphens=False
            )


def deal_protocol(judgement: Judgement, language: str = "en") -> str:
    """The protocol of one deal, whose sentences are in `language`."""
    own, source = judgement.deal, judgement.deal.source
    place = f"{source.path}:{source.line}" if source else ""
    about = ", ".join(part for part in (own.id, own.time, own.table, own.list, own.url, place) if part)
    unit = judgement.session.unit or (judgement.ruleset.house.unit if judgement.ruleset else "")
    title = deal_text.deal_title(judgement)
    head = f"{title}{judgement.verdict:>{max(2, WIDTH - len(title))}}" if len(title) < WIDTH - 14 else title
    record = _label_lines({"Record": about, "Note": own.note or ""})
    parts = (
        ("", _join_lines(head, deal_text.result_line(judgement), *record)),
        ("", _join_lines(deal_text.rounds_line(judgement), deal_text.before_play(judgement, WIDTH))),
        ("Hands as dealt", deal_text.dealt_hands(judgement)),
        (TRICKS, deal_text.trick_table(judgement, WIDTH)),
        (
            f"Settlement, amounts in {unit}" if unit else "Settlement",
            deal_text.settlement_table(judgement, WIDTH, language),
        ),
        ("", _join_lines(deal_text.payment_lines(judgement, WIDTH), deal_text.ledger_change(judgement))),
        ("", deal_text.chalk_lines(judgement, WIDTH)),
        ("Stated by the record, and computed by the rules", deal_text.comparison_table(judgement, WIDTH)),
        ("", _verdict(judgement, language)),
        ("Corrected and ruled since", "\n".join(_changes(judgement))),
    )
    return "\n" + "\n\n".join(_join_lines(heading, text) for heading, text in parts if text.strip()) + "\n"


def _join_lines(*lines: str) -> str:
    """The lines that are not empty."""
    return "\n".join(filter(None, lines))


def _verdict(judgement: Judgement, language: str) -> str:
    """The verdict in a sentence, and every finding with what to do."""
    basis = f" ({TEXT[f'basis_{judgement.basis}']})" if judgement.basis else ""
    head = fill(f"Verdict: {judgement.verdict}{basis}. {say_reason(judgement, language)}", WIDTH)
    return "\n".join((head, *(_finding(each, language) for each in judgement.findings)))


def _finding(each: Finding, language: str) -> str:
    message = sentence(deal_text.finding_text(each, language))
    text = f"{each.severity.capitalize()} {each.rule}: {message}. {remedy(each.rule, language)}"
    return fill(text, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _changes(judgement: Judgement) -> Iterator[str]:
    """The corrections and rulings that came after the deal was recorded."""
    for each in judgement.deal.correction or ():
        changes = ", ".join(f"{key} {_setting(value)}" for key, value in each.set.items())
        yield fill(f"- {each.when}, {each.by}: {changes} ({each.why})", WIDTH, subsequent_indent="  ")
    for rule in judgement.deal.ruling or ():
        paid = deal_text.amounts_text(judgement.session.players, rule.payments)
        cite = f", {rule.cite}" if rule.cite else ""
        yield fill(f"- {rule.when}, {rule.by} ruled: {paid} ({rule.why}{cite})", WIDTH, subsequent_indent="  ")


def running_totals(deals: Iterable[Judgement]) -> str:
    """The running totals of an evening, a row a deal, with another heading where the players change."""
    tables = []
    for names, group in groupby(deals, key=lambda judgement: judgement.session.players):
        rows = [
            (judgement.number, deal_text.deal_title(judgement).partition(": ")[2], *_totals(judgement))
            for judgement in group
        ]
        room = max(deal_text.NARROWEST, (WIDTH - 30) // len(names) - 2)
        most = [6, 24, *(room for _ in names)]
        head = ("deal", "game", *names)
        tables.append(tabulate(rows, head, "simple", maxheadercolwidths=most, maxcolwidths=most, missingval="?"))
    return "\n".join(("Running totals", *tables))


def _totals(judgement: Judgement) -> tuple[str | None, ...]:
    """The totals after a deal, those that rest on an open one in brackets; in a game for marks the marks, before a new
    game begins."""
    seats = len(judgement.session.players)
    sheet = chalk_sheet(judgement, TEXT)
    if sheet is not None:
        return tuple(None if (own := sheet.sides[seat % 2].marks) is None else str(own) for seat in range(seats))
    totals, way = judgement.after.totals, "{:+}"
    if totals is None:
        totals, way = totals_with_rulings(judgement.after) or (None,) * seats, "({:+})"
    return tuple(None if each is None else way.format(each) for each in totals)
