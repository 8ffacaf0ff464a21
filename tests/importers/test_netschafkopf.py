"""The logs of NetSchafkopf: nothing of a log is lost, nothing is guessed, and damage costs one deal."""

import codecs
import os
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.items import bare, by_kind
from support.paths import ROOT
from support.thorough import examples

from archive.record import Deal, Finding, Game, PriceStep, Session, Source
from importers import netschafkopf

REAL = Path(os.environ.get("SCHAFKOPF_REAL_GAMES", ROOT.parent / "shared" / "real-games")) / "netschafkopf"
SAMPLE = (ROOT / "sample_games" / "valid" / "netschafkopf.txt").read_bytes()
LINES = SAMPLE.decode("cp1252").split("\r\n")


def read(data: bytes) -> tuple[Session | None, list[Deal], list[Finding]]:
    items = list(netschafkopf.read(data, Source("log.txt", sha256="abc")))
    sessions, deals, findings = by_kind(items)
    assert len(sessions) <= 1
    assert not sessions or items[0] is sessions[0], "the head comes first"
    return next(iter(sessions), None), deals, findings


def text(*lines: str) -> bytes:
    return "\n".join(lines).encode()


SESSION, DEALS, _ = read(SAMPLE)
BARE = bare(DEALS)


def block(number: int) -> list[str]:
    """The lines of a deal of the sample."""
    source = DEALS[number - 1].source
    return LINES[source.line - 1 : source.end_line]


def one(number: int, *changes: tuple[str, str]) -> tuple[Session | None, list[Deal], list[Finding]]:
    """The sample's deal read alone, with parts of it replaced."""
    log = "\n".join([*LINES[:2], " ", *block(number), ""])
    for old, new in changes:
        assert old in log
        log = log.replace(old, new)
    return read(log.encode())


# --- the real logs ----------------------------------------------------------------------------------------------------

real = pytest.mark.skipif(not REAL.is_dir(), reason="the real logs are not here")
LOGS = sorted(REAL.glob("*.txt"))


def real_deal(name: str, number: int) -> Deal:
    return next(deal for deal in read((REAL / name).read_bytes())[1] if deal.no == number)


@real
def test_all_real_logs_are_read_whole() -> None:
    contracts: Counter[str] = Counter()
    for path in LOGS:
        session, deals, findings = read(path.read_bytes())
        assert session.players == ("PcLinks", "PcOben", "PcRechts", "Gast")
        assert findings == []
        assert [deal.no for deal in deals] == list(range(1, len(deals) + 1))
        contracts.update(deal.game.contract for deal in deals if deal.game)
    assert contracts == Counter(rufspiel=151, ramsch=64, farbwenz=24, farbgeier=16, wenz=8, solo=8, none=2, geier=1)
    assert contracts.total() == 274


@real
def test_everything_in_a_real_log_is_in_its_deals() -> None:
    for path in LOGS:
        for deal in read(path.read_bytes())[1]:
            stated = deal.stated
            assert deal.dealer is not None
            assert deal.hands
            assert None not in deal.hands
            assert stated.totals
            assert sum(total or 0 for total in stated.totals) == 0
            assert stated.steps[-1].amount == stated.price
            if deal.game.contract != "none":
                assert sum(len(trick.cards) for trick in deal.tricks or ()) == sum(len(h or ()) for h in deal.hands)
                assert stated.result
                assert (deal.knocks or 0) == sum(s.count or 0 for s in stated.steps if s.kind == "knocks")


@real
def test_real_deal_with_six_cards_and_schwarz() -> None:
    deal = real_deal("Schafkopfprotokoll_vom_04.08.24.txt", 3)
    assert deal.game == Game("farbgeier", 1, suit="H")
    assert deal.dealer == 3
    assert deal.hands[0] == ("GU", "SO", "E9", "HA", "S9", "GA")
    assert deal.tricks
    assert [trick.leader for trick in deal.tricks] == [0, 1, 1, 1, 1, 1]
    stated = deal.stated
    assert (stated.won, stated.points_against, stated.schneider, stated.schwarz) == (True, 0, True, True)
    assert (stated.price, stated.totals, stated.stock, stated.runners) == (7, (6, 10, -18, 2), 0, None)
    assert (deal.knocks, deal.doubles, deal.source and deal.source.line) == (0, 0, 38)


@real
def test_real_tout_states_its_steps_and_no_levels() -> None:
    deal = real_deal("Schafkopfprotokoll_vom_14.12.22.txt", 40)
    assert deal.game == Game("wenz", 1, words=("tout",))
    assert deal.knocks == 1
    steps = deal.stated.steps or ()
    assert [(step.kind, step.count, step.amount) for step in steps] == [
        ("base", None, 50), ("runners", 2, 70), ("knocks", 1, 140), ("tout", None, 280)
    ]  # fmt: skip
    assert steps[2].text == "1 mal aufgedoppelt 140 Punkte."
    assert (deal.stated.schneider, deal.stated.schwarz, deal.stated.points_against) == (None, None, None)


@real
def test_real_ramsch_with_two_virgins_states_only_their_count() -> None:
    stated = real_deal("autoplay_05.10.23_01.txt", 36).stated
    assert (stated.loser, stated.virgins, stated.points, stated.price) == (3, 2, None, 4)


@real
def test_real_schieber_deals_have_unknown_lords() -> None:
    deals = read((REAL / "Schafkopfprotokoll_vom_16.05.20.txt").read_bytes())[1]
    schieber = [deal for deal in deals if deal.round == ("schieber",)]
    assert [deal.no for deal in schieber] == [18, 19, 20, 21]
    for deal in schieber:
        assert deal.dealer is not None
        dealt = deal.hands[deal.dealer]
        assert dealt
        assert dealt[6:] == ("??", "??")
    assert [step.kind for step in schieber[1].stated.steps or ()] == ["thrown-in"]


# --- the sample -------------------------------------------------------------------------------------------------------


def test_sample_head() -> None:
    assert (
        Session(
            source=Source("log.txt", 1, 2, "abc"),
            players=("Leni", "Korbinian", "Walli", "Burgl"),
            rules="bavarian",
            date="2025-11-06",
            recorder="Burgl",
            unit="P",
            table="Wirtshausrunde",
            origin="NetSchafkopf Version 8.00, Update 07.09.20",
        )
        == SESSION
    )


def test_sample_is_read_whole_and_holds_every_kind() -> None:
    assert read(SAMPLE)[2] == []
    kinds = {deal.game.contract for deal in DEALS if deal.game}
    assert kinds == {"rufspiel", "solo", "wenz", "farbwenz", "geier", "farbgeier", "ramsch", "none"}
    steps = {step.kind for deal in DEALS if deal.stated for step in deal.stated.steps or ()}
    assert steps == {"base", "schneider", "schwarz", "runners", "knocks", "doubles", "tout", "virgins", "thrown-in"}


@pytest.mark.parametrize("head", [0, 1])  # whole, or without the name of the rule table
@pytest.mark.parametrize("lines", [None, 205])  # all, or it breaks off in a deal
def test_logs_joined_are_one_after_another_each_with_its_day_and_owner(lines: int | None, head: int) -> None:
    first, other = SAMPLE.splitlines(True)[:lines], b"".join(SAMPLE.splitlines(True)[head:])
    other = other.replace(b"von Burgl am 06.11.25", b"von Leni am 07.11.25")
    items = list(netschafkopf.read(b"".join(first) + codecs.BOM_UTF8 + other, Source("log.txt", sha256="abc")))
    alone = [*netschafkopf.read(b"\n" * len(first) + other, Source("log.txt", sha256="abc"))]
    assert items[-len(alone) :] == alone
    assert bare(by_kind(items)[1][:10]) == BARE[:10]
    heads = [(each.date, each.recorder) for each in by_kind(items)[0]]
    assert heads == [("2025-11-06", "Burgl"), ("2025-11-07", "Leni")]


def test_a_deal_has_its_place() -> None:
    for deal in DEALS:
        assert deal.source.end_line
        assert LINES[deal.source.line - 1].startswith("Geber: ")
        assert LINES[deal.source.end_line - 1].split()[0] == str(deal.no)
        assert (deal.source.path, deal.source.sha256) == ("log.txt", "abc")


def test_the_owner_of_the_log_is_du_dir_bist_and_hast() -> None:
    owner = 3
    first, second, ramsch, virgin = DEALS[0], DEALS[1], DEALS[10], DEALS[8]
    assert first.stated.partner == owner  # mit dir
    assert second.stated.won is False  # Du verlierst
    assert ramsch.stated.loser == owner  # Du hast
    assert isinstance(ramsch.stated.points, tuple)
    assert [points is None for points in ramsch.stated.points] == [True, True, True, False]
    assert virgin.stated.virgins == (owner,)  # Du bist


def test_runners_are_signed_and_only_stated_where_they_are_named() -> None:
    assert [deal.stated.runners for deal in DEALS[:4] if deal.stated] == [None, -4, 3, None]


def test_schneider_is_denied_where_a_price_does_not_name_it() -> None:
    assert [deal.stated.schneider for deal in DEALS[:3] if deal.stated] == [False, False, True]
    for number in (9, 10, 11, 12):  # three Ramsch, one Tout
        stated = DEALS[number - 1].stated
        assert (stated.schneider, stated.schwarz) == (None, None)


def test_counts_of_knocks_and_doublings_are_those_of_the_price() -> None:
    assert (DEALS[0].knocks, DEALS[0].doubles) == (0, 0)
    assert (DEALS[14].knocks, DEALS[14].doubles) == (1, 1)
    assert DEALS[7].knocks == 2


def test_thrown_in_schieber_keeps_its_words_and_price() -> None:
    deal = DEALS[18]
    words = "Der Erste und der Letzte zahlen an die beiden anderen Spieler 50 Punkte, weil sie nicht gespielt haben."
    assert deal.game == Game("none")
    assert deal.tricks == ()
    assert (deal.knocks, deal.doubles) == (None, None)
    assert (deal.stated.result, deal.stated.price) == (words, 50)
    assert deal.stated.steps == (PriceStep("thrown-in", 50, text=words),)


def test_tie_sentence_is_part_of_the_verdict() -> None:
    assert (DEALS[9].stated.result or "").endswith("Bei Augengleichheit verliert, wer den höheren Ober hatte")


def test_older_versions_write_as_for_ass() -> None:
    assert bare(read(SAMPLE.replace(b"-Ass", b"-As"))[1])[0].game == BARE[0].game


def test_names_may_hold_blanks_and_signs() -> None:
    odd = (
        SAMPLE.replace(b"Korbinian", b"Ex (Spieler) #1.1")
        .replace(b"Leni", b"Sepp mit dir")
        .replace(b"Burgl", b"J\xf6rg")
    )
    session, deals, findings = read(odd)
    assert findings == []
    assert session.players == ("Sepp mit dir", "Ex (Spieler) #1.1", "Walli", "Jörg")
    plain = [replace(deal.stated, result=None) for deal in deals if deal.stated]
    assert plain == [replace(deal.stated, result=None) for deal in DEALS if deal.stated]


# --- encodings and wraps ----------------------------------------------------------------------------------------------


def test_a_cut_umlaut_costs_its_own_deal_only() -> None:
    data = "\n".join(LINES).encode()
    last = data.rindex("ü".encode())
    _, deals, findings = read(data[: last + 1])
    assert bare(deals) == BARE[: len(deals)]
    assert len(deals) >= 19
    assert findings


def unwrapped() -> list[str]:
    """The sample's lines with every verdict and every price on a line of its own."""
    lines: list[str] = []
    for line in LINES:
        wrapped = lines and lines[-1].endswith(" ") and lines[-1].strip()
        if wrapped:
            lines[-1] += line
        else:
            lines.append(line)
    return lines


LONG = unwrapped()


def is_sentence(line: str) -> bool:
    return bool(re.match(r"(Das|Der) |.+ (gewinns?t|verliers?t) ", line))


@given(st.data())
@settings(max_examples=examples(10, 60))
def test_sentences_may_be_wrapped_at_any_blank(data: st.DataObject) -> None:
    keep = data.draw(st.sampled_from(["", " "]), label="blank kept before the break")
    width = data.draw(st.integers(1, 90), label="width")
    lines: list[str] = []
    for line in LONG:
        if not is_sentence(line):
            lines.append(line)
            continue
        current = ""
        for word in line.split():
            if current and (len(current) + len(word) >= width or data.draw(st.integers(0, 9)) == 0):
                lines.append(current + keep)
                current = word
            else:
                current = f"{current} {word}".strip()
        lines.append(current)
    _, deals, findings = read(text(*lines))
    assert findings == []
    assert bare(deals) == BARE


# --- damage -----------------------------------------------------------------------------------------------------------


def others_are_kept(deals: list[Deal], line: int) -> bool:
    """Whether every deal that does not hold the line is there, unchanged."""
    wanted = [deal for deal in DEALS if deal.source and not deal.source.line <= line <= (deal.source.end_line or 0)]
    return all(deal in bare(deals) for deal in bare(wanted)) and len(deals) <= len(DEALS)


PLAYED = range(1, len(LINES) + 1)


@given(st.sampled_from(PLAYED))
@example(1)
@example(2)
@settings(max_examples=examples(10, 300))
def test_a_missing_line_is_noticed_and_costs_its_own_deal_at_most(number: int) -> None:
    _, deals, findings = read("\r\n".join(LINES[: number - 1] + LINES[number:]).encode("cp1252"))
    assert others_are_kept(deals, number)
    assert findings or bare(deals) == BARE


def test_every_missing_line_that_is_not_blank_is_noticed() -> None:
    silent = [
        number
        for number in PLAYED[:: examples(5, 1)]
        if LINES[number - 1].strip() and not read("\n".join(LINES[: number - 1] + LINES[number:]).encode())[2]
    ]
    assert silent == []


@given(st.sampled_from(PLAYED[1:]), st.integers(0, 99), st.sampled_from(["§", "?!", " x ", "DU DU DU", "\x00"]))
@settings(max_examples=examples(10, 300))
def test_a_mangled_line_is_noticed_and_costs_its_own_deal_at_most(number: int, place: int, junk: str) -> None:
    line = LINES[number - 1]
    place = min(place, len(line))
    mangled = line[:place] + junk + line[place:]
    _, deals, findings = read(text(*LINES[: number - 1], mangled, *LINES[number:]))
    assert others_are_kept(deals, number)
    assert findings or bare(deals) == BARE
    if findings and not line.strip():
        assert bare(deals) == BARE, "a foreign line between two deals costs neither"


@given(st.sampled_from(PLAYED), st.text(max_size=30))
@settings(max_examples=examples(10, 200))
def test_a_foreign_line_costs_one_deal_at_most(number: int, foreign: str) -> None:
    _, deals, findings = read(text(*LINES[:number], foreign.encode("utf-8", "replace").decode(), *LINES[number:]))
    assert others_are_kept(deals, number) or others_are_kept(deals, number + 1)
    assert findings or bare(deals) == BARE


@given(st.integers(0, len(SAMPLE)))
@settings(max_examples=examples(10, 200))
def test_a_truncated_log_keeps_what_it_has(size: int) -> None:
    _, deals, findings = read(SAMPLE[:size])
    whole = [deal for deal in bare(deals) if deal in BARE]
    assert whole == BARE[: len(whole)]
    assert len(deals) - len(whole) <= 1
    assert len(whole) >= SAMPLE[:size].count(b"\r\n \r\n") - 1
    assert findings or bare(deals) == whole


@pytest.mark.parametrize("data", [b"", b"\r\n \r\n", codecs.BOM_UTF8, text(*LINES[:3])])
def test_a_file_without_deals_says_so(data: bytes) -> None:
    session, deals, findings = read(data)
    assert (session, deals) == (None, [])
    assert [finding.rule for finding in findings] == ["no-deals"]


@pytest.mark.parametrize(
    ("old", "new", "rule", "line"),
    [
        ("Geber: Leni", "Geber: Loni", "unknown-player", 4),
        ("Leni spielt Mit", "Loni spielt Mit", "unknown-player", 9),
        ("Leni spielt Mit der Grün-Ass", "Leni spielt Fußball", "line-not-read", 9),
        ("        Leni spielt aus:", "        Leni spült aus:", "line-not-read", 11),
        ("Korbinian hat: ", "Korbinian hat: X1 ", "unknown-card", 5),
        ("Korbinian hat: ", "Korbinian hat: DU ", "unknown-card", 5),
        ("kostet 10 Punkte.", "kostet nichts.", "line-not-read", 20),
        ("Spiel    Preis         Leni", "Spiel    Preis         Loni", "unknown-player", 21),
        ("Grün-Ass mit dir", "Eichel-Ass mit dir", "line-not-read", 18),
    ],
)
def test_a_broken_deal_is_a_finding_at_its_line(old: str, new: str, rule: str, line: int) -> None:
    log = "\n".join(LINES)
    assert old in log
    _, deals, findings = read(log.replace(old, new, 1).encode())
    assert [(finding.rule, finding.source and finding.source.line) for finding in findings] == [(rule, line)]
    assert bare(deals) == BARE[1:]


@pytest.mark.parametrize("short", [0, 1, 3])
def test_a_short_trick_before_the_last_is_unreadable(short: int) -> None:
    trick = next(line for line in block(1) if "spielt aus" in line)
    _, deals, findings = one(1, (trick, trick[: len(trick) - 3 * (4 - short)]))
    assert deals == []
    assert [finding.rule for finding in findings] == ["deal-unreadable"]


def test_play_broken_off_is_kept_and_said() -> None:
    lines = LINES[:14]  # four tricks, and the file ends
    _, deals, findings = read(text(*lines, *LINES[22:]))
    assert [len(deal.tricks or ()) for deal in deals[:1]] == [5]
    assert [finding.rule for finding in findings] == ["log-incomplete"]


def test_a_deal_without_its_contract_is_unreadable() -> None:
    contract = next(line for line in block(1) if " spielt Mit" in line)
    _, deals, findings = read("\n".join(LINES).replace(contract + "\n", "", 1).encode())
    assert bare(deals) == BARE[1:]
    assert [finding.message for finding in findings] == ["this deal cannot be read: no line says what was played"]


@pytest.mark.parametrize("head", [b"", b"{}", b'format = "schafkopf-record/1"', b"Geber gesucht", b"\xff\xfe\x00"])
def test_other_files_are_not_claimed(head: bytes) -> None:
    assert not netschafkopf.matches("Schafkopfprotokoll.txt", head)


def test_a_log_is_known_by_its_content_alone() -> None:
    assert netschafkopf.matches("no-ending", SAMPLE[:4096])
    assert netschafkopf.matches("no-ending", text(*LINES[3:40])), "without its head"
