"""A case in words: its title, its state, its entries line by line, and how it was ruled."""

from collections.abc import Iterator
from textwrap import wrap

from archive.record import Ruling
from archive.say import isolate, message, say
from archive.store.cases import CaseEntry, DisputeCase
from archive.text.dates import format_day, format_moment
from archive.text.numbers import format_signed
from archive.text.texts import TEXTS


def case_title(case: DisputeCase, language: str) -> str:
    facts = {"n": case.id, "number": case.number, "session": case.session, "deal": case.deal}
    return say(message("case.title", **facts), language)


def parties_text(case: DisputeCase, language: str) -> str:
    """Return who complains, and against whom."""
    if case.respondent is None:
        return say(message("case.of", claimant=case.claimant), language)
    return say(message("case.against", claimant=case.claimant, respondent=case.respondent), language)


def state_text(case: DisputeCase, language: str) -> str:
    return say(message(f"case.{case.state}"), language)


def entry_title(entry: CaseEntry, language: str) -> str:
    """Return the kind of an entry, and whose it is."""
    return say(message(f"case.{entry.kind}", person=entry.person or entry.author, author=entry.author), language)


def unheard_text(case: DisputeCase, language: str) -> str:
    """Return which of the two sides has not been heard; empty if both have."""
    names = case.lacks_statement
    return say(message("case.unheard", names=names), language) if names else ""


def writer_text(entry: CaseEntry, language: str) -> str:
    """Return who wrote an entry down; empty if it is the person whose entry it is."""
    if entry.author == (entry.person or entry.author):
        return ""
    return say(message("case.written-by", author=entry.author), language)


def entry_text(case: DisputeCase, entry: CaseEntry, language: str) -> str:
    """Return the words of an entry; a ruling begins with who is paid what and ends with its citation."""
    if entry.decided is None:
        return entry.text
    cite = f" ({entry.decided.cite})" if entry.decided.cite else ""
    return f"{ruling_words(entry.decided, case.players, language)}. {entry.text}{cite}"


def case_lines(case: DisputeCase, width: int, language: str) -> Iterator[str]:
    """Yield a case for the terminal, its entries in order."""
    yield from wrap(f"{case_title(case, language)}: {state_text(case, language)}", width, subsequent_indent="  ")
    day = format_day(case.date, TEXTS[language])
    occasion = ", ".join(filter(None, (parties_text(case, language), case.event, day)))
    yield from wrap(occasion, width, initial_indent="  ", subsequent_indent="  ")
    for each in case.entries:
        when = format_moment(each.when, TEXTS[language])
        facts = ", ".join(filter(None, (entry_title(each, language), when, writer_text(each, language))))
        yield from wrap(
            f"{facts}: {entry_text(case, each, language)}", width, initial_indent="  ", subsequent_indent="      "
        )
    if missing := unheard_text(case, language):
        yield f"  {missing}"


def ruling_words(row: Ruling, players: tuple[str, ...], language: str) -> str:
    """Return the decision of a ruling: who is paid what, or for another kind its words with its amounts; for penalties,
    only the players who have one."""
    rows = zip(players, row.payments, strict=False)
    shown = [(name, amount) for name, amount in rows if amount or row.kind != "penalty"]
    amounts = ", ".join(f"{isolate(name)} {format_signed(amount)}" for name, amount in shown)
    return say(message(f"ruling.{row.kind or 'payments'}", amounts=amounts), language)
