"""Deals as a protocol to print and to keep: plain text, 78 columns, nothing that needs a screen to be understood."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import fill

from tabulate import tabulate

from archive.audit import Judgement
from archive.audit.german import told_in
from archive.audit.sentences import say_reason
from archive.cards import NAMES, in_faces
from archive.record import Finding, Session, remedy
from archive.web import plain
from archive.web.tally import sheet_of
from archive.web.texts import EN as TEXT
from archive.web.wording import sentence

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
        for head, found in group:
            if not deals:
                yield ("\f" if number else "") + fitting(evening(head, found))
            told = deal(told_in(found, language), language)
            yield fitting(f"{BETWEEN}\n{told}" if deals else told)
            deals.append(found)
        if len(deals) > 1:
            yield fitting(f"{AROUND}\n{score(deals)}")


def fitting(text: str) -> str:
    """The text with whatever is too wide all the same (a table of long names) on several lines."""
    lines = (line if len(line) <= WIDTH else fill(line, WIDTH, subsequent_indent="  ") for line in text.splitlines())
    return "".join(f"{line.rstrip()}\n" for line in lines)


def evening(head: Session, first: Judgement) -> str:
    """What holds for all deals of a session, and what the letters of its cards mean."""
    rules = first.ruleset
    told = {
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
        "Cards": letters(plain.faces_of(first)),
    }
    return "\n".join((AROUND, *_labelled(told), plain.incomplete(first, WIDTH), AROUND)).replace("\n\n", "\n")


def letters(faces: str) -> str:
    """What the letters on the cards of a pack mean."""
    suits, ranks = NAMES[faces]
    told = {in_faces(f"{letter}9", faces).removesuffix("9"): name for letter, name in suits.items()}
    told |= {in_faces(f"E{letter}", faces)[1:]: name for letter, name in ranks.items()}
    return ", ".join(f"{letter} {name}" for letter, name in told.items())


def _setting(value: object) -> str:
    if isinstance(value, dict):
        return f"({', '.join(f'{key} {_setting(each)}' for key, each in value.items())})"
    if isinstance(value, list | tuple):
        return " ".join(map(_setting, value)) or "none"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _labelled(told: dict[str, str]) -> Iterator[str]:
    for label, text in told.items():
        if text:
            yield fill(
                text,
                WIDTH,
                initial_indent=f"{label:{LABEL}}",
                subsequent_indent=" " * LABEL,
                break_on_hyphens=False,
            )


def deal(found: Judgement, language: str = "en") -> str:
    """The protocol of one deal, whose sentences are in `language`."""
    own, source = found.deal, found.deal.source
    place = f"{source.path}:{source.line}" if source else ""
    about = ", ".join(part for part in (own.id, own.time, own.table, own.list, own.url, place) if part)
    unit = found.session.unit or (found.ruleset.house.unit if found.ruleset else "")
    title = plain.title(found)
    head = f"{title}{found.verdict:>{max(2, WIDTH - len(title))}}" if len(title) < WIDTH - 14 else title
    parts = (
        (
            "",
            "\n".join(filter(None, (head, plain.facts(found), *_labelled({"Record": about, "Note": own.note or ""})))),
        ),
        ("", "\n".join(filter(None, (plain.lying(found), plain.phases(found, WIDTH))))),
        ("Hands as dealt", plain.hands(found)),
        (TRICKS, plain.tricks(found, WIDTH)),
        (f"Settlement, amounts in {unit}" if unit else "Settlement", plain.settlement(found, WIDTH, language)),
        ("", "\n".join(filter(None, (plain.payments(found, WIDTH), plain.left(found))))),
        ("", plain.score_sheet(found, WIDTH)),
        ("Stated by the record, and computed by the rules", plain.accounts(found, WIDTH)),
        ("", _verdict(found, language)),
        ("Corrected and ruled since", "\n".join(_since(found))),
    )
    told = ("\n".join(filter(None, (heading, text))) for heading, text in parts if text.strip())
    return "\n" + "\n\n".join(told) + "\n"


def _verdict(found: Judgement, language: str) -> str:
    """The verdict in a sentence, and every finding with what to do."""
    said = fill(f"Verdict: {found.verdict}. {say_reason(found, language)}", WIDTH)
    return "\n".join((said, *(_finding(each, language) for each in found.findings)))


def _finding(each: Finding, language: str) -> str:
    said = sentence(plain.placed(each, language))
    text = f"{each.severity.capitalize()} {each.rule}: {said}. {remedy(each.rule, language)}"
    return fill(text, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def _since(found: Judgement) -> Iterator[str]:
    """What people changed and decided after the deal was recorded."""
    for each in found.deal.correction or ():
        told = ", ".join(f"{key} {_setting(value)}" for key, value in each.set.items())
        yield fill(f"- {each.when}, {each.by}: {told} ({each.why})", WIDTH, subsequent_indent="  ")
    for rule in found.deal.ruling or ():
        paid = ", ".join(
            f"{name} {'?' if amount is None else f'{amount:+}'}"
            for name, amount in zip(found.session.players, rule.payments, strict=False)
        )
        cite = f", {rule.cite}" if rule.cite else ""
        yield fill(f"- {rule.when}, {rule.by} ruled: {paid} ({rule.why}{cite})", WIDTH, subsequent_indent="  ")


def score(deals: Iterable[Judgement]) -> str:
    """The running totals of an evening, a row a deal, with another heading where the players change."""
    tables = []
    for names, group in groupby(deals, key=lambda found: found.session.players):
        rows = [(found.number, plain.title(found).partition(": ")[2], *_running(found)) for found in group]
        room = max(plain.NARROWEST, (WIDTH - 30) // len(names) - 2)
        most = [6, 24, *(room for _ in names)]
        head = ("deal", "game", *names)
        tables.append(tabulate(rows, head, "simple", maxheadercolwidths=most, maxcolwidths=most, missingval="?"))
    return "\n".join(("Running totals", *tables))


def _running(found: Judgement) -> tuple[str | None, ...]:
    """The totals after a deal; in a game for marks the marks, before a new game begins."""
    seats = len(found.session.players)
    sheet = sheet_of(found, TEXT)
    if sheet is not None:
        return tuple(None if (own := sheet.sides[seat % 2].marks) is None else str(own) for seat in range(seats))
    totals = found.after.totals or (None,) * seats
    return tuple(None if each is None else f"{each:+}" for each in totals)
