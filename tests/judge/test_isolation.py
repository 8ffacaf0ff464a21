"""A broken deal never costs its neighbours: of 360 deals with 10 broken ones among them 350 are judged and stored,
and the 10 are listed in order, each with file, line, deal, rule, message and what to do."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from support.forty import forty
from support.running import run
from support.thorough import examples
from support.writers import sauspiel_page

from archive.cards import CODES
from archive.notation import write_line, write_toml
from archive.record import Deal, Game, Session, remedy, severities

MANY, EVERY = examples(360, 5000), examples(36, 100)  # deals, one in so many of which is broken
PLAYED = MANY // 40  # so many apart stand our forty, with play and result; the others were thrown in

# What is done to the text of a deal, as a line of JSON or as a block of TOML, and the rule that it then breaks.
Break = Callable[[bytes], bytes]
OF_LINES: dict[str, Break] = {
    "syntax": lambda deal: deal[:-40] + b"\n",
    "not-utf8": lambda deal: deal.replace(b'"dealer"', b'"d\xffealer"'),
    "unknown-key": lambda deal: deal.replace(b'"dealer":', b'"daeler":'),
    "wrong-type": lambda deal: deal.replace(b'"no":', b'"no":0.5,"packet":'),
    "unknown-player": lambda deal: deal.replace(b'"dealer":"', b'"dealer":"No '),
    "unknown-card": lambda deal: re.sub(rb" [EGHS]K", b" GG", deal),
    "unknown-contract": lambda deal: deal.replace(b'"game":"none"', b'"game":"Bridge"'),
    "bad-entry": lambda deal: deal.replace(b'"game":"none"', b'"game":"ramsch E"'),
    "bad-players": lambda deal: deal.replace(b'"vroni_7"', b'"Ramsch"'),
    "unknown-format": lambda deal: deal.replace(b"schafkopf-record/1", b"schafkopf-record/9"),
}
OF_BLOCKS: dict[str, Break] = {
    "syntax": lambda deal: deal.replace(b'game = "', b"game = "),
    "not-utf8": lambda deal: deal.replace(b"dealer", b"d\xffealer"),
    "unknown-key": lambda deal: deal.replace(b"dealer", b"daeler"),
    "wrong-type": lambda deal: deal.replace(b"no = ", b"no = 1."),
    "unknown-player": lambda deal: deal.replace(b'dealer = "', b'dealer = "No '),
    "unknown-card": lambda deal: re.sub(rb" [EGHS]K", b" GG", deal),
    "unknown-contract": lambda deal: deal.replace(b'"none"', b'"Bridge"'),
    "bad-entry": lambda deal: deal.replace(b'"none"', b'"ramsch E"'),
}


@cache
def evening() -> tuple[Session, tuple[Deal, ...]]:
    """The head of an evening and its deals, numbered, no two alike."""
    head, played = forty()
    rng, pack, deals = Random(5000), [card for card in CODES if card[1] != "6"], []
    for number in range(MANY):
        if number % PLAYED == 0:
            deals.append(replace(played[number // PLAYED], no=number + 1, auction=None))
            continue
        rng.shuffle(pack)
        hands = tuple(tuple(pack[at : at + 8]) for at in range(0, 32, 8))
        deals.append(Deal(no=number + 1, dealer=(3 + number) % 4, hands=hands, game=Game("none")))
    return head, tuple(deals)


def broken(texts: list[bytes], breaks: dict[str, Break]) -> Iterator[tuple[bytes, str | None, int]]:
    """The texts, some of them broken in one way after another; with each the rule that it breaks, and in which of
    its lines, from 0."""
    kinds = list(breaks)
    for number, text in enumerate(texts, 1):
        rule = kinds[number // EVERY % len(kinds)] if number % EVERY == 17 else None
        changed = breaks[rule](text) if rule else text
        assert (changed == text) == (rule is None)
        lines = zip(text.split(b"\n"), changed.split(b"\n"), strict=False)
        yield changed, rule, next((at for at, (before, after) in enumerate(lines) if before != after), 0)


def is_isolated(path: Path, expected: list[tuple[str, int, int, str]], stored: bool = True) -> None:
    """Whether check, and import if it is `stored`, keep all deals of a file, or of the files in it, but those expected
    to be broken: path, line, number of the deal, rule. What follows from a deal that is not there is told after it."""
    objects = [json.loads(line) for line in run("check", "--json", str(path)).stdout.splitlines()]
    kept = MANY - len(expected)
    assert len(expected) == MANY // EVERY
    assert ([each["verdict"] for each in objects].count("agrees"), len(objects)) == (kept, MANY)
    told = [finding for each in objects for finding in each["findings"] if finding["rule"] != "deal-gap"]
    assert [(each["path"], each["line"], each["deal"], each["rule"]) for each in told] == expected
    assert all(each["message"] and each["remedy"] == remedy(each["rule"]) for each in told)
    if not stored:  # a transaction for each file takes longer than all else
        return
    result = run("import", str(path), "--db", str(path.with_suffix(".db")))
    assert (result.exit_code, result.stderr.splitlines()[-1].split(";")[0]) == (1, f"{kept} deals: {kept} agree")
    text = [line for line in result.stdout.splitlines() if "deal-gap" not in line and not line.startswith(" ")]
    assert [line.split(": ")[0] for line in text] == [f"{place}:{line}" for place, line, *_ in expected]


def test_broken_lines_cost_themselves_alone(tmp_path: Path) -> None:
    head, deals = evening()
    path = tmp_path / "evening.jsonl"
    texts = list(broken([write_line(head, deal) + b"\n" for deal in deals], OF_LINES))
    path.write_bytes(b"".join(text for text, *_ in texts))
    is_isolated(path, [(str(path), number, number, rule) for number, (_, rule, _) in enumerate(texts, 1) if rule])


def test_broken_blocks_cost_themselves_alone(tmp_path: Path) -> None:
    head, deals = evening()
    path = tmp_path / "evening.toml"
    first, *blocks = write_toml(head, deals).encode().split(b"\n[[deal]]\n")
    texts = list(broken([b"\n[[deal]]\n" + block for block in blocks], OF_BLOCKS))
    path.write_bytes(b"".join((first, *(text for text, *_ in texts))))
    line, expected = first.count(b"\n") + 1, []
    for number, (text, rule, within) in enumerate(texts, 1):
        expected += [(str(path), line + within, number, rule)] if rule else []
        line += text.count(b"\n")
    is_isolated(path, expected)


def test_broken_files_of_an_archive_cost_themselves_alone(tmp_path: Path) -> None:
    head, deals = evening()
    path = tmp_path / "evening.zip"
    texts = list(broken([write_line(head, deal) for deal in deals], OF_LINES))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (text, *_) in enumerate(texts, 1):
            archive.writestr(f"{number:04}", text)
    expected = [(f"{path}/{number:04}", 1, 1, rule) for number, (_, rule, _) in enumerate(texts, 1) if rule]
    is_isolated(path, expected, stored=False)


def test_a_broken_page_of_an_archive_costs_itself_alone(tmp_path: Path) -> None:
    """Each page, after another page that is cut in the middle, has a card that is none, or is no page."""
    path, pages = tmp_path / "pages.zip", sauspiel_page.write(*forty())[:: examples(4, 1)]
    breaks: tuple[Break, ...] = (
        lambda page: page[: len(page) // 2],
        lambda page: page.replace(b"EK", b"QQ"),
        lambda page: page[::-1],
        lambda page: b"",
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, page in enumerate(pages):
            archive.writestr(f"{number:02}-broken", breaks[number % len(breaks)](page))
            archive.writestr(f"{number:02}-good", page)
    objects = [json.loads(line) for line in run("check", "--json", str(path)).stdout.splitlines()]
    good = [each for each in objects if each["path"].endswith("-good")]
    assert [each["path"] for each in good] == [f"{path}/{number:02}-good" for number in range(len(pages))]
    assert all(each["verdict"] and each["settlement"] for each in good)
    findings = [(each["path"], finding) for each in objects for finding in each["findings"]]
    assert all(finding["message"] and finding["remedy"] for _, finding in findings)
    told = {
        place for place, finding in findings if not finding["rule"].startswith("stated-")
    }  # the site has another house
    assert told == {f"{path}/{number:02}-broken" for number in range(len(pages))}


@pytest.mark.parametrize("breaks", [OF_LINES, OF_BLOCKS])
def test_every_way_to_break_a_deal_is_of_another_kind(breaks: dict[str, Break]) -> None:
    assert set(breaks) <= set(severities())
