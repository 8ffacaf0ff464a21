"""Data goes forward: a deal that is judged seldom comes back to a module that it has left."""

import sys
from itertools import groupby
from types import FrameType
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple
from support.paths import ROOT
from support.rulesets import load_rules

from archive.generate.evenings import evenings
from archive.judge.judge_deal import judge
from archive.judge.judge_stream import judge_stream
from archive.record import Source
from importers import record_lines

OURS = tuple(f"{ROOT / room}/" for room in ("archive", "importers"))
MOST = 20  # returns


def returns_of_deal(line: bytes) -> int:
    """Return how often calls pass the parameter `deal` of `judge`, or a part of it, to a module that it had left, when
    the line is judged for the third time."""
    items, parts, rooms = list(record_lines.read(line, Source("line.jsonl", 1, 1))), dict[int, Any](), list[str]()

    def add_parts(whole: Any) -> None:
        if isinstance(whole, Struct | tuple) and whole != ():
            parts[id(whole)] = whole
            for part in whole if isinstance(whole, tuple) else astuple(whole):
                add_parts(part)

    def note(frame: FrameType, event: str, _value: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(OURS):
            return
        if code is judge.__code__:
            add_parts(frame.f_locals["deal"])
        given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if any(id(frame.f_locals.get(name)) in parts for name in given):
            rooms.append(code.co_filename)

    for profile in (None, None, note):
        before = sys.getprofile()
        sys.setprofile(profile)
        list(judge_stream(items))
        sys.setprofile(before)
    entered = [name for name, _ in groupby(rooms)]
    return len(entered) - len({*entered})


def test_a_deal_comes_back_to_few_modules() -> None:
    (evening, *_) = evenings(load_rules("bavarian"), 7, 8)
    assert 0 < returns_of_deal(evening.lines[0] + b"\n") <= MOST
