"""The TOML encoding: a session file, for people."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from archive.notation import encode, wire
from archive.notation.blocks import Block, Broken, cut, lines_of, parse
from archive.notation.convert import converted
from archive.notation.names import Table
from archive.notation.problem import Problem, finding_of
from archive.record import Deal, Finding, Session, Source, finding
from archive.say import message

HEAD_STARTS_AGAIN = "head"  # in a deal's house: what earlier deals have set holds no longer
LAYOUT = ("hands", "held", "tricks", "steps", "correction", "ruling")  # one entry a line
WIDTH = 100
HEAD = {**wire.ABOUT, "rules": wire.HOLDS["rules"], "players": wire.HOLDS["players"], **wire.FREE}


# --- reading --------------------------------------------------------------------------------------------------------


def read_toml(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """The session of a file, then its deals in order. A deal that has a finding of severity error is left out.

    What a deal sets anew (`rules`, `house`, `players`) is in every Deal from there on.
    """
    blocks = list(cut(data))
    head, deals = (blocks[0], blocks[1:]) if blocks and not _is_deal(blocks[0]) else (Block(b"", 1, 0), blocks)
    session, table, findings = _head(head, source)
    yield from findings
    if session is None or table is None:
        if deals:
            yield finding("deal-unreadable", _at(source, deals[0]), why=message("notation.head-not-read"))
        return
    yield session
    now = Deal()  # what holds beside the head
    lost: dict[str, int] = {}  # what a deal that could not be read has set, and its line
    for position, block in enumerate(deals, 1):
        here = structs.replace(source, deal=position)
        fields, now, findings = _deal(block, here, session, table, now, lost)
        yield from findings
        if not any(each.severity == "error" for each in findings):
            yield Deal(**fields, source=_at(here, block))


def _is_deal(block: Block) -> bool:
    return block.data.lstrip(b" \t").startswith(b"[[")


def _at(source: Source, block: Block, line: int | None = None) -> Source:
    if line is None:
        return structs.replace(source, line=block.line, end_line=block.end_line)
    return structs.replace(source, line=line, end_line=None)


def _findings(problems: list[Problem], block: Block, source: Source) -> list[Finding]:
    return [
        finding_of(problem, _at(source, block, line))
        for problem, line in zip(problems, lines_of(block, problems), strict=True)
    ]


def _broken(error: Broken, block: Block, source: Source) -> list[Finding]:
    return [finding(error.rule, _at(source, block, error.line), **error.facts)]


def _head(block: Block, source: Source) -> tuple[Session | None, Table | None, list[Finding]]:
    try:
        plain = parse(block)
    except Broken as error:
        return None, None, _broken(error, block, source)
    head, problems = converted(plain, wire.Head)
    if head is None:
        return None, None, _findings(problems, block, source)
    session, table, problems = wire.read_head(head, Path(source.path).parent)
    if session is None:
        return None, None, _findings(problems, block, source)
    return structs.replace(session, source=_at(source, block)), table, []


def _deal(
    block: Block, source: Source, session: Session, table: Table, now: Deal, lost: dict[str, int]
) -> tuple[dict[str, Any], Deal, list[Finding]]:
    """A deal's fields, what holds after it, and its findings."""
    try:
        plain = parse(block)
        deal, problems = _converted(plain)
    except Broken as error:
        lost |= {key: block.line for key in wire.HOLDS if re.search(rb"^\s*%b\b" % key.encode(), block.data, re.M)}
        return {}, now, _broken(error, block, source)
    if deal is None:
        lost |= {key: block.line for key in wire.HOLDS if key in plain["deal"][0]} if "deal" in plain else {}
        return {}, now, _findings(problems, block, source)
    players = now.players or session.players
    own = tuple(deal.players) if isinstance(deal.players, list) else players
    read_with = structs.replace(table, players=own)
    fields, problems = wire.read_deal(read_with, deal)
    findings = _findings(problems, block, source)
    holds = {key: fields[key] for key in wire.HOLDS if fields.get(key) is not None}
    wrong = {problem.key.split(".")[0] for problem in problems}
    lost |= {key: block.line for key in wire.HOLDS if key in wrong}
    for key in holds:
        lost.pop(key, None)
    if lost and not findings:
        key, line = next(iter(lost.items()))
        why = message("notation.setting-not-read", line=line, key=key)
        findings = [finding("deal-unreadable", _at(source, block), why=why)]
    if "house" in holds:
        holds["house"] = _house(now.house or {}, holds["house"])
    now = wire.without_settings_of(session, structs.replace(now, **holds))
    return fields | {key: getattr(now, key) for key in wire.HOLDS}, now, findings


def _converted(plain: dict[str, Any]) -> tuple[Any, list[Problem]]:
    """The one deal of a block."""
    beside = [Problem("unknown-key", key, hint=message("notation.beside-a-deal")) for key in plain if key != "deal"]
    deal, problems = converted(plain.get("deal", [{}])[0], wire.Deal)
    return (None if beside else deal), problems + beside


def _house(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """The house settings that hold where a deal changes them."""
    changes = dict(changes)
    return merged({} if changes.pop(HEAD_STARTS_AGAIN, False) is True else before, changes)


def merged(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Settings with changes laid over them, table by table."""
    inner = {
        key: merged(before[key], value)
        for key, value in changes.items()
        if isinstance(value, dict) and isinstance(before.get(key), dict)
    }
    return before | changes | inner


# --- writing --------------------------------------------------------------------------------------------------------


def write_toml(session: Session, deals: Iterable[Deal]) -> str:
    """A session file in its canonical form."""
    parts = [_head_text(session)]
    now = Deal()
    for deal in deals:
        deal = wire.without_settings_of(session, deal)
        to = encode.names(session, deal, nulls=False)
        table = _changed_settings(session, now, deal) | wire.write_deal(to, deal)
        parts.append("\n[[deal]]\n" + "".join(_lines(table)))
        now = deal
    return "".join(parts)


def _head_text(session: Session) -> str:
    to = encode.names(session, None, nulls=False)
    table = {"format": wire.FORMAT} | wire.write_keys(to, session, HEAD)
    text = "".join(_lines(table))
    if session.house is None:
        return text
    return f"{text}\n[house]\n" + "".join(_line(_key(key), value) for key, value in session.house.items())


def _changed_settings(session: Session, now: Deal, deal: Deal) -> dict[str, Any]:
    """The keys by which a deal sets anew what held at the deal before it."""
    table: dict[str, Any] = {}
    for key in ("rules", "players"):
        anew = getattr(deal, key)
        if anew != getattr(now, key):
            table[key] = getattr(session, key) if anew is None else anew
    if deal.house != now.house:
        house, before = deal.house or {}, now.house or {}
        table["house"] = house if merged(before, house) == house else {HEAD_STARTS_AGAIN: True} | house
    return table


def _lines(table: dict[str, Any]) -> Iterator[str]:
    """The lines of a table; the tables `stated` and `carry` in it by dotted keys."""
    for key, value in table.items():
        if key in ("stated", "carry") and value:
            yield from (_line(f"{key}.{inner}", entry) for inner, entry in value.items())
        else:
            yield _line(key, value)


def _line(key: str, value: Any) -> str:
    line = f"{key} = {_value(value)}\n"
    if isinstance(value, list | tuple) and value and (key.split(".")[-1] in LAYOUT or len(line) > WIDTH):
        return f"{key} = [\n" + "".join(f"    {_value(entry)},\n" for entry in value) + "]\n"
    if key == "date" and isinstance(value, str) and len(value) == 10:
        return f"{key} = {value}\n"
    return line


def _value(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {_value(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _value(key)
