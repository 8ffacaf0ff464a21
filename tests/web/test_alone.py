"""A deal that stands alone in an address is judged as it is in its session, and nothing hostile in it is more than a
page that says so."""

import base64
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict
from support import deal_pages
from support.paths import ROOT
from support.web_archive import blind_deal, evening, make_archive

from archive import generate
from archive.cli.inputs import read_pasted
from archive.judge import Judgement, LedgerState, judge_session
from archive.notation import write_line
from archive.record import Deal, Finding, Session
from archive.store import load_deal, load_judgement, open_read
from archive.web.check import page as check_pages
from archive.web.deal import permalink as permalink
from archive.web.texts import TEXTS

SAMPLES = ROOT / "sample_games" / "valid"
# Sessions in which earlier deals decide a later one: Bock rounds, one on another and waiting, Hausbock, marks with
# chalk, special rounds, a stock, tournament lists, players who sit out and are replaced, settings that are inferred.
WITH_A_TABLE = (
    *("bock-overlap.toml", "bock-queue.toml", "hausbock.toml", "bierkopf.toml", "kreuz-round.toml", "stock.toml"),
    *("list.toml", "five-at-the-table.toml", "substitute.toml", "score-sheet.toml", "schieber.toml", "teufel.toml"),
)
OWN = {"place", "session", "source", "history"}  # what a page says of the archive around its deal


def unpacked(packed: str) -> bytes:
    return zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -zlib.MAX_WBITS)


def again(packed: str) -> Judgement:
    """The deal of an address, judged as `/check` judges it."""
    line, beside = unpacked(packed).split(b"\n")
    head, deal = read_pasted("<pasted>/text", line)
    assert isinstance(head, Session)
    assert isinstance(deal, Deal)
    found = permalink.judge_permalink(head, deal, beside.decode())
    assert found is not None
    return found


def facts(found: Judgement) -> dict[str, object]:
    """All that the page of a deal shows of it."""
    page = deal_pages.deal_page(found, check_pages.PLACE, TEXTS["en"])
    parts = asdict(page).values()
    return {key: value for part in parts for key, value in asdict(part).items() if key not in OWN} | {
        "findings": [(each.rule, each.message, each.at) for each in page.evidence.findings]
    }


def evenings() -> Iterator[Judgement]:
    for name in WITH_A_TABLE:
        items = list(read_pasted(name, (SAMPLES / name).read_bytes()))
        head = next(each for each in items if isinstance(each, Session))
        assert not [each for each in items if isinstance(each, Finding)]
        yield from judge_session(head, [each for each in items if isinstance(each, Deal)])


def test_a_deal_shows_the_same_alone_as_in_its_session() -> None:
    every = [*evening(), *evenings()]
    assert len(every) > 80
    assert len([each for each in every if each.before != LedgerState(totals=each.before.totals)]) > 40
    for found in every:
        assert facts(again(permalink.pack_deal(found))) == facts(found), (found.deal.source, found.number)


def test_without_its_table_a_deal_of_a_session_would_be_another() -> None:
    found = next(each for each in evenings() if each.before.rounds)
    line = unpacked(permalink.pack_deal(found)).split(b"\n")[0]
    head, deal = read_pasted("<pasted>/text", line)
    assert isinstance(head, Session)
    assert isinstance(deal, Deal)
    assert facts(next(judge_session(head, [deal]))) != facts(found)


def test_an_address_holds_the_record_as_the_archive_writes_it(tmp_path: Path) -> None:
    archive = open_read(make_archive(tmp_path / "archive.db"))
    for number in range(1, 8):
        found, loaded = load_judgement(archive, number), load_deal(archive, number)
        assert found
        packed = permalink.pack_deal(found, loaded[0])
        assert unpacked(packed).split(b"\n")[0] == write_line(loaded[0], loaded[1])
        assert facts(again(packed)) == facts(found)
        assert len(packed) < 1000


def test_an_address_holds_only_signs_that_need_no_escape() -> None:
    packed = permalink.pack_deal(next(judge_session(generate.session("three-player-blind"), [blind_deal()])))
    assert set(packed) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


# --- what is sent to `/check` -----------------------------------------------------------------------------------------


LINE, BESIDE = permalink.record_lines(evening()[0]).decode().split("\n")


def send(client: FlaskClient, table: str, line: str = LINE) -> tuple[int, str]:
    answer = client.post("/check", data={"record": line, "table": table}, content_type="multipart/form-data")
    return answer.status_code, answer.text


def test_a_record_with_its_table_is_shown_with_its_number(client: FlaskClient) -> None:
    told = json.loads(BESIDE) | {"number": 7}
    code, text = send(client, json.dumps(told))
    assert (code, "<h1>Deal 7: Rufspiel Gras</h1>" in text) == (200, True)


@pytest.mark.parametrize(
    "beside",
    [
        *("nothing", "[]", "{}", '{"number":1}', '{"number":"x","table":{}}', '{"number":1,"table":{"totals":[1]}}'),
        *('{"number":1,"table":{"dealer":4}}', '{"number":1,"table":{"chalk":-1}}', "[" * 100_000),
        *('{"number":-1,"table":{}}', '{"number":1,"table":{"stock":9e99}}', '{"number":1,"table":{},"more":1}'),
        '{"number":1,"table":{"rounds":[["bock",99999999999999999]]}}',
        '{"number":1,"table":{"queue":["bock"' + ',"bock"' * 50 + "]}}",
        '{"number":1,"table":{"away":[["Xaver",-99999999999999999]]}}',
    ],
    ids=range(15),
)
def test_a_table_that_none_can_have_is_refused(client: FlaskClient, beside: str) -> None:
    code, text = send(client, beside)
    assert (code, "No deal could be read." in text) == (422, True)


def test_a_table_is_told_of_one_deal_only(client: FlaskClient) -> None:
    assert send(client, BESIDE, f"{LINE}\n{LINE}")[0] == 422
    assert send(client, BESIDE, "nothing")[0] == 422


AMOUNTS = st.none() | st.integers(-(2**41), 2**41)
ROWS = st.none() | st.lists(AMOUNTS, min_size=3, max_size=5).map(tuple)
COUNTS = st.none() | st.integers(-2, 2**41)
NAMES = st.sampled_from(["bock", "kreuz", "schieber", "", "x" * 99]) | st.text(max_size=9)
ROUNDS = st.none() | st.lists(st.tuples(NAMES, st.integers(-1, 2**41)), max_size=22).map(tuple)
AWAY = st.lists(st.tuples(NAMES, AMOUNTS), max_size=22).map(tuple)
TABLES = st.builds(
    LedgerState,
    dealer=COUNTS,
    totals=ROWS,
    stated_totals=ROWS,
    stock=COUNTS,
    hausbock=COUNTS,
    stake=COUNTS,
    marks=ROWS,
    stated_marks=ROWS,
    chalk=COUNTS,
    game_deals=COUNTS,
    rounds=ROUNDS,
    queue=st.none() | st.lists(NAMES, max_size=22).map(tuple),
    list_name=st.none() | NAMES,
    list_deals=COUNTS,
    away=AWAY,
    settled=ROWS,
    settled_away=AWAY,
)
DEALS = st.deferred(
    lambda: st.sampled_from([(each.session, each.recorded) for each in (*evening(), *list(evenings())[::6])])
)


@given(DEALS, TABLES, COUNTS)
def test_no_table_breaks_the_judging(deal: tuple[Session, Deal], table: LedgerState, number: int | None) -> None:
    head, recorded = deal
    beside = msgspec.json.encode({"number": number, "table": asdict(table)}).decode()
    found = permalink.judge_permalink(head, recorded, beside)
    if found is not None:
        assert found.recorded == recorded
        assert deal_pages.deal_page(found, check_pages.PLACE, TEXTS["de"]).heading.number == number
        assert facts(again(permalink.pack_deal(found))) == facts(found)
