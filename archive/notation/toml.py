"""The TOML encoding: a session file, for people."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from archive.notation import key_table, write_values
from archive.notation.convert import convert_table
from archive.notation.names import Reader
from archive.notation.problem import Problem, finding_of
from archive.notation.toml_blocks import Block, BrokenBlock, parse_block, problem_lines, split_blocks
from archive.record import Deal, Finding, Session, Source, finding
from archive.record.names import one_form
from archive.say import message

HEAD_STARTS_AGAIN = "head"  # in a deal's house: what earlier deals set no longer holds
LAYOUT = ("hands", "held", "piles", "tricks", "turns", "steps", "correction", "ruling")  # one entry a line
WIDTH = 100
HEAD = {**key_table.ABOUT, "rules": key_table.HOLDS["rules"], "players": key_table.HOLDS["players"], **key_table.FREE}


# --- reading --------------------------------------------------------------------------------------------------------


def read_toml(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Yield the session of a file, then its deals in order, of one file after another if several were joined. A deal
    that has a finding of severity error is left out.

    What a deal changes (`rules`, `house`, `players`) is in every Deal from there on.
    """
    blocks = list(split_blocks(data))
    starts = [place for place, block in enumerate(blocks) if not (place and _is_deal(block))]
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        yield from _read_file(blocks[start:end], source)


def _read_file(blocks: list[Block], source: Source) -> Iterator[Session | Deal | Finding]:
    head, deals = (blocks[0], blocks[1:]) if blocks and not _is_deal(blocks[0]) else (Block(b"", 1, 0), blocks)
    session, table, findings = _head(head, source)
    yield from findings
    if session is None or table is None:
        if deals:
            yield finding("deal-unreadable", _at(source, deals[0]), why=message("notation.head-not-read"))
        return
    yield session
    now = Deal()  # what holds besides the head
    lost: dict[str, int] = {}  # what a deal that could not be read has set, and its line
    for position, block in enumerate(deals, 1):
        here = structs.replace(source, deal=position)
        fields, now, findings = _deal(block, here, session, table, now, lost)
        yield from findings
        if not any(item.severity == "error" for item in findings):
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
        for problem, line in zip(problems, problem_lines(block, problems), strict=True)
    ]


def _broken_findings(error: BrokenBlock, block: Block, source: Source) -> list[Finding]:
    return [finding(error.rule, _at(source, block, error.line), **error.facts)]


def _head(block: Block, source: Source) -> tuple[Session | None, Reader | None, list[Finding]]:
    try:
        plain = parse_block(block)
    except BrokenBlock as error:
        return None, None, _broken_findings(error, block, source)
    if deals := [key for key in plain if key.casefold() in ("deal", "deals")]:
        hint = message("notation.did-you-mean", key="[[deal]]")
        return None, None, _findings([Problem("unknown-key", key, hint=hint) for key in deals], block, source)
    head, problems = convert_table(plain, key_table.Head)
    if head is None:
        return None, None, _findings(problems, block, source)
    session, table, problems = key_table.read_head(head, Path(source.path).parent)
    if session is None:
        return None, None, _findings(problems, block, source)
    return structs.replace(session, source=_at(source, block)), table, []


def _deal(
    block: Block, source: Source, session: Session, table: Reader, now: Deal, lost: dict[str, int]
) -> tuple[dict[str, Any], Deal, list[Finding]]:
    """Return a deal's fields, what holds after it, and its findings."""
    try:
        plain = parse_block(block)
    except BrokenBlock as error:
        lost |= {key: block.line for key in key_table.HOLDS if re.search(rb"^\s*%b\b" % key.encode(), block.data, re.M)}
        return {}, now, _broken_findings(error, block, source)
    deal, problems = convert_table(plain.get("deal", [{}])[0], key_table.Deal)
    problems += [Problem("unknown-key", key, hint=message("notation.beside-a-deal")) for key in plain if key != "deal"]
    if deal is None or problems:
        lost |= {key: block.line for key in key_table.HOLDS if key in plain["deal"][0]} if "deal" in plain else {}
        return {}, now, _findings(problems, block, source)
    players = now.players or session.players
    own = tuple(map(one_form, deal.players)) if isinstance(deal.players, list) else players
    read_with = structs.replace(table, players=own)
    fields, problems = key_table.read_deal(read_with, deal)
    findings = _findings(problems, block, source)
    holds = {key: fields[key] for key in key_table.HOLDS if fields.get(key) is not None}
    wrong = {problem.key.split(".")[0] for problem in problems}
    lost |= {key: block.line for key in key_table.HOLDS if key in wrong}
    for key in holds:
        lost.pop(key, None)
    if lost and not findings:
        key, line = next(iter(lost.items()))
        why = message("notation.setting-not-read", line=line, key=key)
        findings = [finding("deal-unreadable", _at(source, block), why=why)]
    if "house" in holds:
        house = dict(holds["house"])
        before = {} if house.pop(HEAD_STARTS_AGAIN, False) is True else now.house or {}
        holds["house"] = merge_settings(before, house)
    now = key_table.without_settings_of(session, structs.replace(now, **holds))
    return fields | {key: getattr(now, key) for key in key_table.HOLDS}, now, findings


def merge_settings(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return settings with changes laid over them, table by table."""
    inner = {
        key: merge_settings(before[key], value)
        for key, value in changes.items()
        if isinstance(value, dict) and isinstance(before.get(key), dict)
    }
    return before | changes | inner


# --- writing --------------------------------------------------------------------------------------------------------


def write_toml(session: Session, deals: Iterable[Deal]) -> str:
    """Return a session file in its canonical form."""
    to, now = write_values.writer_for(tuple(session.players), nulls=False), Deal()
    parts = [*_lines({"format": key_table.FORMAT} | key_table.write_keys(to, session, HEAD))]
    if session.house is not None:
        parts += ["\n[house]\n", *(_line(toml_key(key), value) for key, value in session.house.items())]
    for deal in deals:
        deal = key_table.without_settings_of(session, deal)
        to = write_values.writer_for(tuple(deal.players or session.players), nulls=False)
        table = _changed_settings(session, now, deal) | key_table.write_keys(to, deal, key_table.WRITTEN)
        parts.append("\n[[deal]]\n" + "".join(_lines(table)))
        now = deal
    return "".join(parts)


def _changed_settings(session: Session, now: Deal, deal: Deal) -> dict[str, Any]:
    """Return the keys by which a deal changes what held at the deal before it."""
    table: dict[str, Any] = {}
    for key in ("rules", "players"):
        anew = getattr(deal, key)
        if anew != getattr(now, key):
            table[key] = getattr(session, key) if anew is None else anew
    if deal.house != now.house:
        house, before = deal.house or {}, now.house or {}
        table["house"] = house if merge_settings(before, house) == house else {HEAD_STARTS_AGAIN: True} | house
    return table


def _lines(table: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a table; the tables `stated` and `carry` in it by dotted keys."""
    for key, value in table.items():
        if key in ("stated", "carry") and value:
            yield from (_line(f"{key}.{inner}", entry) for inner, entry in value.items())
        else:
            yield _line(key, value)


def _line(key: str, value: Any) -> str:
    line = f"{key} = {toml_value(value)}\n"
    if isinstance(value, list | tuple) and value and (key.split(".")[-1] in LAYOUT or len(line) > WIDTH):
        return f"{key} = [\n" + "".join(f"    {toml_value(entry)},\n" for entry in value) + "]\n"
    if key == "date" and isinstance(value, str) and len(value) == 10:
        return f"{key} = {value}\n"
    return line


def toml_value(value: Any) -> str:
    """Return a value as TOML has it on one line."""
    if value is None:  # of a house: the limit that it does not have
        return '"none"'
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        inner = ", ".join(f"{toml_key(key)} = {toml_value(entry)}" for key, entry in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return str(value)  # a number or a day


def toml_key(key: str) -> str:
    """Return a key as TOML has it, in quotes if it needs them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)
