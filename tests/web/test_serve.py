"""One port: what goes to the viewer and what to Datasette, and that neither can be written to or worn out."""

import asyncio
import gc
import logging
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, chdir, closing
from pathlib import Path

import brotli
import httpx
import pytest
from support import running
from support.asgi import request
from support.paths import ROOT
from support.patience import WAIT, without_hanging
from support.web_archive import make_archive

from archive.serve import server
from archive.serve.proxy import Message
from archive.serve.server import listening_socket
from archive.store import ArchiveError, open_read
from archive.web import serve
from archive.web.app import static_version
from archive.web.datasette import cells, hardening
from archive.web.datasette.data_app import SETTINGS
from archive.web.texts import TEXTS

REPLACING = f"with a(x) as (select {'hex(' * 14}'aaaaaaaaaaaaaaaa'{')' * 14}) select replace(x, '3', x) from a"
ATTACKS = {  # with the words in which SQLite refuses them
    "a value of 400 MB": ("select hex(randomblob(400000000))", "not authorized to use function: randomblob"),
    "a blob of zeros": ("select zeroblob(400000000)", "not authorized to use function: zeroblob"),
    "a wide number": ("select printf('%400000000d', 1)", "not authorized to use function: printf"),
    "a wide number, renamed": ("select format('%400000000d', 1)", "not authorized to use function: format"),
    "foreign code": ("select load_extension('nowhere')", "not authorized to use function: load_extension"),
    "doubling": (f"select {'hex(' * 28}'a'{')' * 28}", "string or blob too big"),
    "replacing": (REPLACING, "user-defined function raised exception"),
    "a long pattern": (f"select 'a' like '{'%a' * 100}'", "LIKE or GLOB pattern too complex"),
}
STEPS = 200  # of SQLite's machine: what is refused at once takes some thirty


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_archive(tmp_path_factory.mktemp("serve") / "archive.db")


@pytest.fixture(scope="module")
def app(archive: Path) -> serve.App:
    return serve.build_app(archive)


def ask(app: serve.App, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return request(app, path, method, headers=sent)


def rows(app: serve.App, sql: str) -> httpx.Response:
    return ask(app, str(httpx.URL("/data.json", params={"sql": sql, "_shape": "arrays"})))


@pytest.mark.parametrize("path", ["/data", "/data/deals", "/data/deals/1", "/data.json", "/-/static/app.css"])
def test_data_goes_to_datasette(app: serve.App, path: str) -> None:
    answer = ask(app, path)
    assert answer.status_code == 200
    assert "'unsafe-inline'" in answer.headers["content-security-policy"]


def test_all_else_goes_to_the_viewer(app: serve.App) -> None:
    there = {
        "/": 200,
        "/deals/1": 200,
        "/database": 404,
        "/healthz": 200,
        "/-/databases.json": 404,
        "/-/databases": 404,
    }
    answers = {path: ask(app, path) for path in there}
    assert {path: answer.status_code for path, answer in answers.items()} == there
    assert not any("unsafe" in answer.headers["content-security-policy"] for answer in answers.values())


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_only_reading_is_allowed(app: serve.App, method: str) -> None:
    paths = ("/", "/deals/1.json", "/healthz", "/nowhere", "/data", "/data/deals", "/-/permissions")
    assert [ask(app, path, method).status_code for path in paths] == [405] * 7


@pytest.mark.parametrize("path", ["/", "/deals/1", "/data", "/data/deals"])
def test_no_cookies_and_strict_headers(app: serve.App, path: str) -> None:
    headers = ask(app, path).headers
    assert "set-cookie" not in headers
    assert headers["content-security-policy"].startswith("default-src 'none';")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers.get_list("referrer-policy") == ["no-referrer"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # how sqlite3 reports a refused value
@pytest.mark.parametrize(("sql", "why"), ATTACKS.values(), ids=ATTACKS)
def test_an_attack_by_one_call_is_refused_at_once(
    archive: Path, monkeypatch: pytest.MonkeyPatch, sql: str, why: str
) -> None:
    """Not by the time limit, which is far away here; after a few steps of SQLite, counted and not timed."""
    monkeypatch.setitem(SETTINGS, "sql_time_limit_ms", 1000 * WAIT)
    answer = rows(serve.build_app(archive), sql)
    assert (answer.status_code, answer.json()["error"]) == (400, why)
    steps: list[None] = []
    with closing(sqlite3.connect(archive)) as conn:
        hardening.harden(conn)
        conn.execute("SELECT 1 FROM deals").fetchone()  # newer SQLite counts the reading of the schema too
        conn.set_progress_handler(lambda: steps.append(None), 1)
        with pytest.raises(sqlite3.Error):
            conn.execute(sql).fetchall()
    assert len(steps) < STEPS


def test_finding_a_text_in_a_long_one_takes_linear_time(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SETTINGS, "sql_time_limit_ms", 1000 * WAIT)
    text = f"with a(x) as (select {'hex(' * 16}'00000000000000000000'{')' * 16}) "
    with without_hanging(5):
        answer = rows(serve.build_app(archive), text + "select instr(x, substr(x, 1, 600000) || 'z') from a")
    assert answer.json()["rows"] == [[0]]


def test_a_hard_connection_only_reads() -> None:
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE TABLE t (a)")
    hardening.harden(conn)
    writing = ("DELETE FROM t", "CREATE TABLE u (a)", "DROP TABLE t", "PRAGMA journal_mode = DELETE", "VACUUM")
    text = "SELECT replace(x'4142', 'B', x'43'), trim(x'2d41', '-'), instr('AB', x'42')"  # a BLOB is read as text
    assert conn.execute(text).fetchone() == ("AC", "A", 2)
    for sql in ("ATTACH ':memory:' AS x", *writing):
        with pytest.raises(sqlite3.Error, match="authoriz"):
            conn.execute(sql)


@pytest.mark.parametrize("value", [None, "/deals/", "/deals/1x", "javascript:alert(1)", "//evil/deals/1", 1.5])
def test_only_addresses_of_deals_become_links(value: object) -> None:
    assert cells.in_viewer(value, "viewer", "deals", {}) is None


def test_the_archive_file_cannot_be_downloaded(app: serve.App) -> None:
    assert ask(app, "/data.db").status_code in (403, 404)


SLOW = """import sys, time
from pathlib import Path
from archive.web import serve
create, path = serve.viewer.create_app, Path(sys.argv[1])
def create_app(*given):
    app = create(*given)
    @app.get("/slow")
    def slow():
        print("asked", flush=True)
        while not path.with_name("go").exists():
            time.sleep(0.01)
        return "answered"
    return app
serve.viewer.create_app, serve.MOST_CONNECTIONS = create_app, 5
serve.serve_archive(path, port=0)
"""


def is_refused(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return True
    return False


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_too_many_are_turned_away_and_who_has_asked_before_the_end_is_answered_and_nothing_is_left(
    tmp_path: Path, sign: signal.Signals
) -> None:
    path = make_archive(tmp_path / "archive.db")
    words = [sys.executable, "-c", SLOW, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run, ExitStack() as ends:
        ends.callback(run.kill)  # where something is not as it should be, too
        port = int(re.findall(r"http://127\.0\.0\.1:(\d+)/", run.stdout.readline())[0])
        for page in ("healthz", "deals/1", "data/deals"):  # the last two hold the archive open
            assert httpx.get(f"http://127.0.0.1:{port}/{page}", timeout=WAIT).status_code == 200
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
        busy = httpx.get(f"http://127.0.0.1:{port}/deals/1", timeout=WAIT, headers={"Accept-Language": "de"})
        assert (busy.status_code, busy.headers["retry-after"]) == (503, "5")
        assert busy.text.startswith(TEXTS["de"]["busy"])
        problem = httpx.get(f"http://127.0.0.1:{port}/api/v1/deals", timeout=WAIT)
        assert (problem.status_code, problem.headers["content-type"]) == (503, "application/problem+json")
        for each in held:
            each.close()
        end = time.monotonic() + WAIT
        while httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=WAIT).status_code != 200:
            time.sleep(0.05)
            assert time.monotonic() < end
        assert path.with_name("archive.db-wal").exists()
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(httpx.get, f"http://127.0.0.1:{port}/slow", timeout=WAIT)
            assert run.stdout.readline() == "asked\n"
            run.send_signal(sign)
            end = time.monotonic() + WAIT
            while not is_refused(port):
                time.sleep(0.02)
                assert time.monotonic() < end
            path.with_name("go").touch()
            assert answer.result().text == "answered"
        assert (run.communicate(timeout=WAIT), run.returncode) == (("", ""), 0), "quietly"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["archive.db", "go"]


def test_an_import_is_seen_while_the_site_is_served_and_leaves_what_others_have_open(tmp_path: Path) -> None:
    """Readers beside one writer: neither waits for the other."""
    path = make_archive(tmp_path / "archive.db")
    site = serve.Site(path)
    before = ask(site.app, "/api/v1").json()["deals"]
    holding = open_read(path)
    holding.execute("BEGIN")
    assert holding.execute("SELECT count(*) FROM deals").fetchone()[0] == before
    with chdir(ROOT / "sample_games" / "valid"):
        answer = running.run("import", "--db", path, "stammtisch.toml")
    assert answer.exit_code == 0, answer.output
    assert ask(site.app, "/api/v1").json()["deals"] == before + 12
    assert holding.execute("SELECT count(*) FROM deals").fetchone()[0] == before
    site.close()
    assert path.with_name("archive.db-wal").exists(), "of whom still reads"
    holding.close()
    gc.collect()  # closes the archive of the command, which ends with its process else
    serve.remove_log(path)
    assert [each.name for each in tmp_path.iterdir()] == ["archive.db"]


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_an_answer_is_sent_at_once(host: str) -> None:
    """Without waiting for the reader to confirm its headers."""
    try:
        listening = listening_socket(host, 0)
    except OSError:
        pytest.skip("no such address here")
    with listening, socket.create_connection(listening.getsockname()[:2]):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


LONG = ("/", "/deals/1", "/deals/1.json", "/static/archive.css", "/-/static/app.css", "/data/deals.csv?_stream=1")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("taken", "encoding"), [("gzip", "gzip"), ("gzip, deflate, br, zstd", "br"), ("br;q=0, gzip", "gzip")]
)
@pytest.mark.parametrize("path", LONG)
def test_answers_are_compressed_for_whoever_takes_that(app: serve.App, path: str, taken: str, encoding: str) -> None:
    plain, small = ask(app, path, accept_encoding="identity"), ask(app, path, accept_encoding=taken)
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == encoding
    assert all("accept-encoding" in each.headers["vary"].lower() for each in (plain, small))
    assert small.content == plain.content
    assert small.num_bytes_downloaded < len(plain.content)


@pytest.mark.parametrize("refusal", ["", "identity", "zstd", "gzip;q=0", "gzip; q=0.0, br; q=0", "*;q=0"])
def test_who_takes_no_encoding_of_ours_gets_none(app: serve.App, refusal: str) -> None:
    assert "content-encoding" not in ask(app, "/deals/1", accept_encoding=refusal).headers


@pytest.mark.parametrize("path", LONG)
def test_a_head_and_a_refusal_are_the_same_to_whoever_takes_gzip(app: serve.App, path: str) -> None:
    head = [ask(app, path, "HEAD", accept_encoding=each) for each in ("identity", "gzip")]
    assert head[0].status_code == 200
    headers = [{key: value for key, value in answer.headers.items() if key != "expires"} for answer in head]
    assert headers[0] == headers[1], "but for the second that they expire at"
    refused = [ask(app, path, "DELETE", accept_encoding=each) for each in ("identity", "gzip")]
    assert [answer.status_code for answer in refused] == [405, 405]
    assert refused[0].content == refused[1].content


@pytest.mark.parametrize("encoding", ["gzip", "br"])
def test_a_table_is_sent_row_by_row_also_when_compressed(app: serve.App, encoding: str) -> None:
    parts: list[bytes] = []

    async def send(message: Message) -> None:
        parts.append(message.get("body", b""))

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {
        "type": "http", "method": "GET", "path": "/data/deals.csv", "raw_path": b"/data/deals.csv",
        "query_string": b"_stream=1", "headers": [(b"accept-encoding", encoding.encode())],
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    unpack = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress if encoding == "gzip" else brotli.Decompressor().process
    told = [unpack(part) for part in parts if part]
    lines = [part for part in told if part]
    assert len(lines) == 8, "the head and seven deals, each readable when it has come"
    assert lines[0].startswith(b"id,")


def test_static_files_keep_for_good_under_the_address_of_their_version(app: serve.App) -> None:
    named = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', ask(app, "/deals/1").text))
    (version,) = {path.split("/")[2] for path in named}
    assert {path.split("/")[3] for path in named} >= {"archive.css", "deal.js", "cards-german.svg", "icon.svg"}
    for path in named:
        answer = ask(app, path)
        assert answer.status_code == 200
        assert "max-age=31536000" in answer.headers["cache-control"]
        assert "no-cache" not in answer.headers["cache-control"]
        again = ask(app, path, if_none_match=answer.headers["etag"], accept_encoding="gzip")
        assert (again.status_code, again.content) == (304, b"")
        assert "content-encoding" not in again.headers
    for path in ("/static/archive.css", "/static/0123456789ab/archive.css", "/favicon.ico"):
        answer = ask(app, path)
        assert answer.status_code == 200
        assert "no-cache" in answer.headers["cache-control"]
        assert ask(app, path, if_none_match=f'"{version}"').status_code == 304
        assert ask(app, path, if_none_match='"another"').status_code == 200
    for path in ("/static/nothing.css", f"/static/{version}/nothing.css", "/static/%2e%2e/base.html"):
        assert ask(app, path).status_code == 404


def test_a_changed_static_file_has_another_address(tmp_path: Path) -> None:
    versions = set()
    for name, text in (("a.js", "1"), ("a.js", "2"), ("b.js", "2"), ("b.js", "")):
        (tmp_path / name).write_text(text)
        versions.add(static_version(tmp_path))
    assert len(versions) == 4


def test_a_taken_port_is_a_sentence(archive: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ArchiveError, match="another --port"):
        serve.serve_archive(archive, port=taken.getsockname()[1])


@pytest.mark.parametrize(("error", "is_worth_logging"), [(asyncio.CancelledError(), False), (ValueError(), True)])
def test_a_request_that_the_end_of_the_server_cuts_off_is_no_error(
    error: BaseException, is_worth_logging: bool
) -> None:
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 1, "", (), (type(error), error, None))
    assert server.is_worth_logging(record) == is_worth_logging


# --- what many threads decode at once is known before: else msgspec ends the process ----------------------------------


CLASSES = """
from __future__ import annotations
import msgspec
class Inner(msgspec.Struct):
    a: int = 0
    b: dict[str, list[int]] | None = None
class Outer(msgspec.Struct):
    one: Inner
    two: Inner
    three: list[Inner]
"""
CROWD = f"""
import sys, threading, types, msgspec
from archive.serve.server import build_decoders
sys.setswitchinterval(1e-6)
for n in range(40):
    module = types.ModuleType(f"classes_{{n}}")
    sys.modules[module.__name__] = module
    exec({CLASSES!r}, module.__dict__)
    build_decoders()
    begin = threading.Barrier(8)
    def decode():
        begin.wait()
        msgspec.json.decode('{{"one": {{"a": 1}}, "two": {{}}, "three": [{{"a": 2}}]}}', type=module.Outer)
    threads = [threading.Thread(target=decode) for _ in range(8)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
"""


def test_threads_may_decode_into_a_class_for_the_first_time_together() -> None:
    assert subprocess.run([sys.executable, "-c", CROWD], check=False).returncode == 0


def test_a_site_builds_them_before_its_first_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[bool] = []
    monkeypatch.setattr(serve, "build_decoders", lambda: built.append(True))
    serve.Site(make_archive(tmp_path / "archive.db")).close()
    assert built == [True]
