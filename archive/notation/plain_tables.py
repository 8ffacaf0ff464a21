"""A head and deals from plain tables with the keys of the record format, as importers make them of other formats."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import structs

from archive.notation import key_table
from archive.notation.convert import convert_table
from archive.notation.game_words import words_of_rules
from archive.notation.names import Reader
from archive.notation.problem import Problem, finding_of
from archive.notation.toml_blocks import plain
from archive.record import Deal, Finding, Session, Source
from archive.record.names import one_form


def read_session_keys(keys: Mapping[str, Any], source: Source) -> Session | tuple[Finding, ...]:
    """Return the head of an evening, or what is wrong with it."""
    head, problems = convert_table({"format": key_table.FORMAT} | plain(dict(keys)), key_table.Head)
    if head is None:
        return _findings(problems, source)
    session, _, problems = key_table.read_head(head, Path(source.path).parent)
    return _findings(problems, source) if session is None else structs.replace(session, source=source)


def read_deal_keys(keys: Mapping[str, Any], session: Session, source: Source, cards: str) -> Deal | tuple[Finding, ...]:
    """Return a deal of the session, or what is wrong with it; its strings have cards in the letters `cards`."""
    deal, problems = convert_table(plain(dict(keys)), key_table.Deal)
    if deal is None:
        return _findings(problems, source)
    players = tuple(map(one_form, deal.players)) if isinstance(deal.players, list) else session.players
    words = words_of_rules(session.rules, Path(source.path).parent)
    fields, problems = key_table.read_deal(Reader(players, cards, words), deal)
    if problems:
        return _findings(problems, source)
    return key_table.without_settings_of(session, Deal(**fields, source=source))


def _findings(problems: Sequence[Problem], source: Source) -> tuple[Finding, ...]:
    return tuple(finding_of(problem, source) for problem in problems)
