"""Deals as a protocol to print and to keep: plain text, 78 columns, nothing that needs a screen to be understood."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import fill

from archive.cards import NAMES, faces_in, in_faces
from archive.judge import Judgement
from archive.judge.finding_groups import findings_with_depth
from archive.judge.sentences import faces_of, say_reason
from archive.judge.types import unit_of_deal
from archive.record import Session, evidence_text, remedy
from archive.settle.rulings import totals_with_rulings
from archive.text import deal as deal_text
from archive.text.case import ruling_words
from archive.text.chalk import chalk_lines, chalk_sheet
from archive.text.dates import format_moment
from archive.text.numbers import without_plus
from archive.text.tables import tabulate
from archive.text.texts import TEXTS, page_text
from archive.text.wording import ruleset_title, sentence

WIDTH = 78
LABEL = 11  # characters before the text of a line in the head
BETWEEN = "─" * WIDTH  # two deals
AROUND = "═" * WIDTH  # the head of a session


def protocol(played: Iterable[tuple[Session, Judgement]], language: str = "en") -> Iterator[str]:
    """Yield the protocol of deals in `language`, each with the head of its session, piece by piece, each ending with a
    line break.

    Another Session object begins another evening, with a head of its own; the score follows its last deal.
    """
    for number, (_, group) in enumerate(groupby(played, key=lambda pair: id(pair[0]))):
        deals: list[Judgement] = []
        for head, judgement in group:
            if not deals:
                yield ("\f" if number else "") + fit_width(session_head(head, judgement, language))
            text = deal_protocol(judgement, language)
            yield fit_width(f"{BETWEEN}\n{text}" if deals else text)
            deals.append(judgement)
        if len(deals) > 1:
            yield fit_width(f"{AROUND}\n{running_totals(deals, language)}")


def fit_width(text: str) -> str:
    """Return the text with lines that are still too wide (a table of long names) wrapped."""
    lines = (line if len(line) <= WIDTH else fill(line, WIDTH, subsequent_indent="  ") for line in text.splitlines())
    return "".join(f"{line.rstrip()}\n" for line in lines)


def session_head(head: Session, first: Judgement, language: str = "en") -> str:
    """Return the facts that hold for all deals of a session, and the meaning of the letters on its cards."""
    rules, faces = first.ruleset, faces_in(faces_of(first), language)
    suits, ranks = NAMES[faces]
    letters = {in_faces(f"{letter}9", faces).removesuffix("9"): name for letter, name in suits.items()}
    letters |= {in_faces(f"E{letter}", faces)[1:]: name for letter, name in ranks.items()}
    inferred = (evidence_text(each, language) for each in first.session.inferred or ())
    house = (f"{key} {_setting(value, language)}" for key, value in (head.house or {}).items())
    fields = {
        "event": ", ".join(part for part in (head.event, head.place) if part),
        "date": " ".join(part for part in (head.date, head.time) if part),
        "table": ", ".join(part for part in (head.table, head.list) if part),
        "players": f"{', '.join(head.players)} ({page_text('direction', language)})",
        "rules": f"{ruleset_title(rules, language)} ({rules.id})" if rules else head.rules,
        "house": ", ".join(house),
        "inferred": "; ".join(inferred),
        "recorder": head.recorder or "",
        "origin": ", ".join(part for part in (head.origin, head.url, head.licence) if part),
        "note": head.note or "",
        "cards": ", ".join(f"{letter} {name}" for letter, name in letters.items()),
    }
    incomplete = deal_text.incomplete_note(first, WIDTH, language)
    return "\n".join((AROUND, *_label_lines(fields, language), incomplete, AROUND)).replace("\n\n", "\n")


def _setting(value: object, language: str) -> str:
    if isinstance(value, dict):
        return f"({', '.join(f'{key} {_setting(each, language)}' for key, each in value.items())})"
    if isinstance(value, list | tuple):
        return " ".join(_setting(each, language) for each in value) or page_text("none", language)
    return page_text("yes" if value else "no", language) if isinstance(value, bool) else str(value)


def _label_lines(fields: dict[str, str], language: str) -> Iterator[str]:
    for key, text in fields.items():
        if text:
            label = f"{page_text(f'head-{key}', language):{LABEL}}"
            yield fill(f"{label}{text}", WIDTH, subsequent_indent=" " * LABEL, break_on_hyphens=False)


def deal_protocol(judgement: Judgement, language: str) -> str:
    own, source = judgement.deal, judgement.deal.source
    place = f"{source.path}:{source.line}" if source else ""
    about = ", ".join(part for part in (own.id, own.time, own.table, own.list, own.url, place) if part)
    unit = unit_of_deal(judgement) or ""
    title, verdict = deal_text.deal_title(judgement, language), TEXTS[language][judgement.verdict]
    head = f"{title}{verdict:>{max(2, WIDTH - len(title))}}" if len(title) < WIDTH - 14 else title
    record = _label_lines({"record": about, "note": own.note or ""}, language)
    before = (deal_text.rounds_line(judgement, language), deal_text.before_play(judgement, WIDTH, language))
    after = (deal_text.payment_lines(judgement, WIDTH, language), deal_text.ledger_change(judgement, language))
    settlement = page_text("settlement-in", language, unit=unit) if unit else page_text("settlement-of", language)
    parts = (
        ("", _join_lines(head, deal_text.result_line(judgement, language), *record)),
        ("", _join_lines(*before)),
        (page_text("hands-dealt", language), deal_text.dealt_hands(judgement, language=language)),
        (page_text("tricks-signs", language), deal_text.trick_table(judgement, WIDTH, language=language)),
        (settlement, deal_text.settlement_table(judgement, WIDTH, language)),
        ("", _join_lines(*after)),
        ("", chalk_lines(judgement, WIDTH, language=language)),
        (page_text("comparison", language), deal_text.comparison_table(judgement, WIDTH, language)),
        ("", _verdict(judgement, language)),
        (page_text("changes", language), "\n".join(_changes(judgement, language))),
    )
    return "\n" + "\n\n".join(_join_lines(heading, text) for heading, text in parts if text.strip()) + "\n"


def _join_lines(*lines: str) -> str:
    """Return the lines that are not empty, joined."""
    return "\n".join(filter(None, lines))


def _verdict(judgement: Judgement, language: str) -> str:
    """Return the verdict in a sentence, and every finding with its remedy, its consequences below it."""
    t = TEXTS[language]
    basis = f" ({t[f'basis_{judgement.basis}']})" if judgement.basis else ""
    verdict = f"{page_text('verdict', language)}: {t[judgement.verdict]}{basis}"
    lines = [fill(f"{verdict}. {say_reason(judgement, language)}", WIDTH)]
    for each, depth in findings_with_depth(judgement.findings):
        what, indent = sentence(deal_text.finding_text(each, language)), "  " * depth
        text = f"{indent}- {page_text(each.severity, language)} {each.rule}: {what}. {remedy(each.rule, language)}"
        lines.append(fill(text, WIDTH, subsequent_indent=f"{indent}  ", break_on_hyphens=False))
    return "\n".join(lines)


def _changes(judgement: Judgement, language: str) -> Iterator[str]:
    """Yield the corrections and rulings that came after the deal was recorded."""
    for each in judgement.deal.correction or ():
        changes = ", ".join(f"{key} {_setting(value, language)}" for key, value in each.set.items())
        when = format_moment(each.when, TEXTS[language])
        yield fill(f"- {when}, {each.by}: {changes} ({each.why})", WIDTH, subsequent_indent="  ")
    for rule in judgement.deal.ruling or ():
        paid = ruling_words(rule, judgement.session.players, language)
        when = format_moment(rule.when, TEXTS[language])
        facts = {"when": when, "by": rule.by, "paid": paid, "why": ", ".join(filter(None, (rule.why, rule.cite)))}
        yield fill(f"- {page_text('ruling', language, **facts)}", WIDTH, subsequent_indent="  ")


def running_totals(deals: Iterable[Judgement], language: str = "en") -> str:
    """Return the running totals of an evening, a row for each deal, with another heading when the players change."""
    tables = []
    for names, group in groupby(deals, key=lambda judgement: judgement.session.players):
        rows = [
            (judgement.number, deal_text.game_of_deal(judgement, language), *_totals(judgement)) for judgement in group
        ]
        room = max(deal_text.NARROWEST, (WIDTH - 30) // len(names) - 2)
        most = [6, 24, *(room for _ in names)]
        head = (*deal_text.headings(("deal", "game"), language), *names)
        align = ("right", "left", *("right" for _ in names))
        tables.append(
            tabulate(rows, head, "simple", colalign=align, maxheadercolwidths=most, maxcolwidths=most, missingval="?")
        )
    return "\n".join((page_text("running-totals", language), *tables))


def _totals(judgement: Judgement) -> tuple[str | None, ...]:
    """Return the totals after a deal, in brackets if they rest on an open one; in a game for marks the marks, before a
    new game begins."""
    seats = len(judgement.session.players)
    sheet = chalk_sheet(judgement, TEXTS["en"])
    if sheet is not None:
        owns = (sheet.sides[seat % len(sheet.sides)].marks for seat in range(seats))
        return tuple(None if own is None else without_plus(own) for own in owns)
    totals, way = judgement.after.totals, "{:+}"
    if totals is None:
        totals, way = totals_with_rulings(judgement.after) or (None,) * seats, "({:+})"
    return tuple(None if total is None else way.format(total).replace("-", "−") for total in totals)
