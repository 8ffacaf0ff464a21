"""Files of programs as browsers, mail, phones and other programs hand them on: what they say stays the same."""

import html
import json
import re
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from email.message import EmailMessage
from itertools import product
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from msgspec.structs import replace
from support.items import places_in
from support.paths import ROOT

from archive.cli.inputs import files_with_progress, open_files
from archive.record import Deal, Finding, Session

SAMPLES = ROOT / "sample_games" / "valid"
WHOLE = (SAMPLES / "netschafkopf.txt").read_bytes().decode("cp1252").replace("\r\n", "\n")
LOG = WHOLE[: WHOLE.index("Geber: Burgl")]  # three deals
CHAT = (SAMPLES / "sauspiel-chat.txt").read_text()
PAGE = (SAMPLES / "sauspiel-rufspiel.html").read_text()
TRACKER = json.loads((SAMPLES / "schafkopf-tracker.json").read_text())


def items_of(folder: Path, data: str | bytes, name: str = "x") -> list[Session | Deal | Finding]:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return [item for file in open_files(path, None) for item in file.items()]


def deals_of(folder: Path, data: str | bytes, name: str = "x") -> list[Deal]:
    """The deals of a file without their places; it has no finding."""
    items = items_of(folder, data, name)
    assert [item for item in items if isinstance(item, Finding)] == []
    return bare(items)


def bare(items: list[Session | Deal | Finding]) -> list[Deal]:
    return [replace(item, source=None) for item in items if isinstance(item, Deal)]


# --- logs -------------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(2)
@pytest.mark.parametrize("encoding", ["cp850", "mac_roman", "utf-8 twice", "none"])
@pytest.mark.parametrize("text", [LOG, CHAT], ids=["netschafkopf", "chat"])
def test_the_words_of_a_program_are_known_whatever_became_of_their_umlauts(
    tmp_path: Path, text: str, encoding: str
) -> None:
    if encoding == "utf-8 twice":
        data = text.encode().decode("cp1252", "replace").encode()
    elif encoding == "none":
        data = text.translate(str.maketrans({"ü": "ue", "ä": "ae", "ö": "oe", "ß": "ss"})).encode()
    else:
        data = text.encode(encoding, "replace")
    read, expected = deals_of(tmp_path, data), deals_of(tmp_path, text)
    assert [(deal.game, deal.knocks, deal.doubles, deal.auction) for deal in read] == [
        (deal.game, deal.knocks, deal.doubles, deal.auction) for deal in expected
    ]


@pytest.mark.parametrize("text", [LOG, CHAT], ids=["netschafkopf", "chat"])
def test_blanks_and_soft_hyphens_of_a_web_page_change_nothing(tmp_path: Path, text: str) -> None:
    changed = text.replace(" ", "\u00a0").replace("spielt", "spie\u00adlt")
    wider = text.replace(" sagt ", "\u00a0 sagt\u2009").replace(" hat:", "\u00a0 hat:")
    assert deals_of(tmp_path, changed) == deals_of(tmp_path, wider) == deals_of(tmp_path, text)


@pytest.mark.parametrize("text", [LOG, CHAT, PAGE], ids=["netschafkopf", "chat", "page"])
def test_letters_in_parts_and_a_mark_of_each_program_change_nothing(tmp_path: Path, text: str) -> None:
    assert deals_of(tmp_path, "\ufeff\ufeff" + normalize("NFD", text)) == deals_of(tmp_path, text)


def test_dashes_of_a_word_processor_change_no_game_and_no_amount(tmp_path: Path) -> None:
    changed = LOG.replace("-Ass", "\u2013Ass").replace("-Solo", "\u2013Solo").replace(" -", " \u2212")
    expected = [(deal.game, deal.stated and deal.stated.totals) for deal in deals_of(tmp_path, LOG)]
    assert [(deal.game, deal.stated and deal.stated.totals) for deal in deals_of(tmp_path, changed)] == expected


def test_the_table_of_a_log_is_named_right_above_its_owner(tmp_path: Path) -> None:
    items = items_of(tmp_path, "Servus,\nanbei das Protokoll.\n\n" + LOG)
    (head,) = (item for item in items if isinstance(item, Session))
    assert head.table == "Wirtshausrunde"
    assert [(item.rule, item.source and item.source.line) for item in items if isinstance(item, Finding)] == [
        ("line-not-read", 1),
        ("line-not-read", 2),
    ]


# --- the database of schafkopf-tracker --------------------------------------------------------------------------------


def tracker_database(path: Path, leave_out: str = "", **values: Any) -> None:
    """The sample as a database without types, each row with other values."""
    columns = [key for key in TRACKER["history"][0] if key not in leave_out.split()]
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("CREATE TABLE sessions (id, name, game_type, players, stake, created_at)")
        head = [TRACKER[key] for key in ("id", "name", "game_type", "players", "stake", "created_at")]
        head[3] = json.dumps(head[3])
        conn.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)", head)
        conn.execute(f"CREATE TABLE games ({', '.join(columns)})")
        for game in TRACKER["history"]:
            row = game | {key: json.dumps(game[key]) for key in ("klopfer", "changes")}
            row |= {key: change(row[key]) for key, change in values.items()}
            conn.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(columns))})", [row[key] for key in columns])


def expected_of_tracker(folder: Path) -> list[Deal]:
    return deals_of(folder, json.dumps(TRACKER))


@pytest.mark.parametrize("words", [("0", "1"), ("false", "true")])
def test_a_flag_kept_as_text_is_not_true_because_it_is_there(tmp_path: Path, words: tuple[str, str]) -> None:
    path = tmp_path / "tracker.db"
    tracker_database(path, **dict.fromkeys(("won", "schneider", "schwarz"), lambda value: words[bool(value)]))
    assert deals_of(tmp_path, path.read_bytes()) == expected_of_tracker(tmp_path)


def test_a_row_that_does_not_say_who_won_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "tracker.db"
    tracker_database(path, won=lambda value: None)
    items = items_of(tmp_path, path.read_bytes())
    assert bare(items) == []
    assert {item.rule for item in items if isinstance(item, Finding)} == {"wrong-type"}


def test_a_database_from_before_a_column_was_added_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tracker.db"
    tracker_database(path, leave_out="bock schneider schwarz", klopfer=lambda value: None if value == "[]" else value)
    deals = deals_of(tmp_path, path.read_bytes())
    assert [deal.game for deal in deals] == [deal.game for deal in expected_of_tracker(tmp_path)]
    assert [deal.knocks for deal in deals] == [deal.knocks or None for deal in expected_of_tracker(tmp_path)]


def test_what_is_still_in_the_log_beside_a_database_is_read(tmp_path: Path) -> None:
    path = tmp_path / "tracker.db"
    tracker_database(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA journal_mode = wal")
        conn.execute("UPDATE games SET type = 'Geier' WHERE type = 'Wenz'")
        conn.execute("DELETE FROM games WHERE seq = 1")
        conn.commit()
        before = sorted(each.name for each in tmp_path.iterdir())
        items = [item for file in open_files(path, None) for item in file.items()]
        assert sorted(each.name for each in tmp_path.iterdir()) == before
    assert [deal.id for deal in bare(items)] == [deal.id for deal in expected_of_tracker(tmp_path)[1:]]


# --- pages of sauspiel.de ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["&shy;", "\u00ad", "<wbr>", "<WBR />"])
def test_a_word_that_may_break_is_that_word(tmp_path: Path, sign: str) -> None:
    broken = PAGE.replace("Mitspieler", f"Mit{sign}spieler").replace(" Augen", f" Au{sign}gen")
    broken = broken.replace("hätt a Sauspiel", f"hätt a Sau{sign}spiel")
    assert deals_of(tmp_path, broken) == deals_of(tmp_path, PAGE)


def test_a_role_in_another_language_is_named_and_not_passed_over(tmp_path: Path) -> None:
    items = items_of(tmp_path, PAGE.replace("Mitspieler", "Teammate"))
    (line,) = (number for number, text in enumerate(PAGE.splitlines(), 1) if "Mitspieler" in text)
    assert places_in(items) == [("bad-entry", line)]


def test_a_page_cut_between_two_tricks_lacks_the_others(tmp_path: Path) -> None:
    items = items_of(tmp_path, PAGE[: PAGE.index("4. Stich")].rpartition("<div")[0])
    (deal,) = bare(items)
    assert len(deal.tricks or ()) == 3
    assert places_in(items) == [("log-incomplete", 1)]


@pytest.mark.parametrize("doctype", ["<!DOCTYPE html>", ""])
@pytest.mark.parametrize("between", ["", "\n"])
def test_pages_put_together_are_games_of_their_own(tmp_path: Path, doctype: str, between: str) -> None:
    first = PAGE.strip().replace("<!DOCTYPE html>\n", doctype)
    pages = (first, first.replace("1550000101", "1550000102").replace("1.550.000.101", "1.550.000.102"))
    deals = deals_of(tmp_path, between.join(pages))
    assert [deal.id for deal in deals] == ["1550000101", "1550000102"]
    assert deals[0] == deals_of(tmp_path, PAGE)[0]
    games = (SAMPLES / "sauspiel-list.html").read_text()  # beside a page of one of them
    for pages, at in (first + between + games, 0), (games + between + first, -1):
        read = deals_of(tmp_path, pages)
        assert read.pop(at) == deals[0]
        assert read == deals_of(tmp_path, games)
    assert deals_of(tmp_path, first.replace("</body>", "<script>'games-item'</script></body>")) == deals[:1]


@pytest.mark.parametrize("sample", ["sauspiel-list.html", "sauspiel-rufspiel.html"])
def test_a_page_saved_as_one_file_is_known_behind_its_styles_and_pictures(tmp_path: Path, sample: str) -> None:
    page = (SAMPLES / sample).read_text()
    styles = "<style>" + ".a { color: red; }\n" * 5000 + "</style>"
    picture = '<img src="data:image/png;base64,' + "A" * 90_000 + '">'
    heavy = page.replace("<head>", f"<head>{styles}").replace("<body>", f"<body>{picture}")
    deals = deals_of(tmp_path, heavy)
    assert deals == deals_of(tmp_path, page)


# --- what stands before each line, and between them -------------------------------------------------------------------

ONE_LINE = (SAMPLES / "one-line.txt").read_text()
MARGINS = ("{n:4d}\t", "{n}: ", "{n}. ", "{n:3d} | ", "> ")
STAMPS = ("[20:14:03] ", "2026-10-03 20:14 - ", "20:14 <zenzi> ", "[03.10.26, 20:14:03] Zenzi Huber: ")
BEFORE = [*product((LOG, CHAT, ONE_LINE), MARGINS), *product((LOG, CHAT), STAMPS)]


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("text", "margin"), BEFORE, ids=[f"{text[:12]!r} {margin}" for text, margin in BEFORE])
def test_numbers_of_lines_clocks_and_signs_of_a_quotation_are_no_part_of_a_log(
    tmp_path: Path, text: str, margin: str
) -> None:
    lines = text.split("\n")
    changed = "\n".join(margin.format(n=number) + line for number, line in enumerate(lines, 1))
    items, plain = items_of(tmp_path, changed), items_of(tmp_path, text)
    assert bare(items) == bare(plain)
    assert [item.source and item.source.line for item in items] == [item.source and item.source.line for item in plain]


def test_a_log_between_lines_of_another_program_is_read_as_that_log(tmp_path: Path) -> None:
    lines = LOG.split("\n")
    lines.insert(3, "[2026-11-29 10:00:00] INFO other: hello world")
    lines.insert(9, "[2026-11-29 10:00:01] INFO other: hello world")
    items = items_of(tmp_path, "\n".join(lines))
    assert places_in(items) == [("line-not-read", 4), ("line-not-read", 10)]
    assert len(bare(items)) == len(deals_of(tmp_path, LOG)) - 1


def test_formatted_text_is_no_log_with_strange_lines(tmp_path: Path) -> None:
    text = "{\\rtf1\\ansi\n" + LOG.replace("\n", "\\par\n") + "}"
    assert places_in(items_of(tmp_path, text)) == [("foreign-file", 1)]


# --- mails ------------------------------------------------------------------------------------------------------------


def mail(text: str) -> EmailMessage:
    whole = EmailMessage()
    whole["From"], whole["To"], whole["Subject"] = (
        "Sepp <sepp@example.org>",
        "resi@example.org",
        "Fwd: gestern für Dich",
    )
    whole.set_content(text)
    return whole


def test_what_is_attached_to_a_mail_is_read_under_its_name(tmp_path: Path) -> None:
    inner = mail("anbei")
    inner.add_attachment(LOG.encode("cp1252"), "application", "octet-stream", filename="Protokoll.txt")
    inner.add_attachment(b"\x89PNG", "image", "png", filename="logo.png")
    outer = mail("schau mal")
    outer.add_attachment(inner)
    items = items_of(tmp_path, bytes(outer), "Fwd.eml")
    assert bare(items) == deals_of(tmp_path, LOG)
    assert {item.source.path for item in items if item.source} == {str(tmp_path / "Fwd.eml" / "Protokoll.txt")}


def test_a_log_in_the_text_of_a_mail_is_read_once(tmp_path: Path) -> None:
    whole = mail(LOG)
    whole.add_alternative(f"<html><body><pre>{LOG}</pre></body></html>", subtype="html")
    assert deals_of(tmp_path, bytes(whole)) == deals_of(tmp_path, LOG)


def test_a_log_in_an_answered_mail_is_read_and_the_answer_named(tmp_path: Path) -> None:
    items = items_of(tmp_path, bytes(mail("Sepp schrieb:\n" + "\n".join(f"> {line}" for line in LOG.split("\n")))))
    assert bare(items) == deals_of(tmp_path, LOG)
    assert places_in(items) == [("line-not-read", 1)]


def test_a_mail_without_a_game_is_called_a_mail(tmp_path: Path) -> None:
    (item,) = items_of(tmp_path, bytes(mail("Bis morgen!")))
    assert isinstance(item, Finding)
    assert (item.rule, item.facts["what"].id) == ("foreign-file", "cli.foreign-mail")


# --- JSON of apps -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sample", ["schafkopf-tracker.json", "schafkopf-zaehler.json", "sauspiel-events.json", "sauspiel-scraper.jsonl"]
)
def test_the_order_of_keys_and_what_is_around_an_export_change_nothing(tmp_path: Path, sample: str) -> None:
    text = (SAMPLES / sample).read_text()
    exports = [*map(json.loads, text.splitlines() if sample.endswith("l") else [text])]
    expected = [replace(deal, x=None) for deal in deals_of(tmp_path, json.dumps(exports))]
    for around, places in ({"games": exports}, []), ({"games": exports, "page": {"of": 2}}, [("line-not-read", 1)]):
        items = items_of(tmp_path, json.dumps(around, indent=2, sort_keys=True))
        assert [replace(deal, x=None) for deal in bare(items)] == expected
        assert places_in(items) == places
    for indent in (None, 1):
        glued = items_of(tmp_path, "".join(json.dumps(each, indent=indent) for each in exports))
        assert ([replace(deal, x=None) for deal in bare(glued)], places_in(glued)) == (expected, [])
        torn = items_of(tmp_path, json.dumps([*exports, exports[0]], indent=indent)[:-9])
        assert [replace(deal, x=None) for deal in bare(torn)] == expected
        assert [rule for rule, _ in places_in(torn)] == ["syntax"]


@pytest.mark.parametrize("text", [LOG, json.dumps(TRACKER)], ids=["netschafkopf", "tracker"])
def test_a_text_that_a_browser_saved_as_a_page_is_that_text(tmp_path: Path, text: str) -> None:
    head = '<html><head><meta name="color-scheme" content="light dark"></head>'
    for before, behind in ((f"{head}<body>", "</body></html>"), ("<html><body>", "</body></html>"), ("", "\n")):
        page = f"{before}<pre>{html.escape(text, quote=False)}</pre>{behind}"
        assert deals_of(tmp_path, page) == deals_of(tmp_path, text)


def rewritten(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return {key: rewritten(entry, change) for key, entry in value.items()} | change({})
    return [rewritten(entry, change) for entry in value] if isinstance(value, list) else change(value)


REWRITTEN: dict[str, Callable[[Any], Any]] = {
    "decimal": lambda value: float(value) if type(value) is int else value,
    "text": lambda value: str(value) if type(value) is int else value,
    "0 and 1": lambda value: int(value) if isinstance(value, bool) else value,
    "keys of other rows": lambda value: {"Nobody": None} if value == {} else value,
}


@pytest.mark.parametrize("how", REWRITTEN)
@pytest.mark.parametrize(
    "sample", ["sauspiel-events.json", "sauspiel-scraper.jsonl", "schafkopf-tracker.json", "schafkopf-zaehler.json"]
)
def test_numbers_and_keys_as_data_frames_and_databases_write_them_are_what_they_were(
    tmp_path: Path, sample: str, how: str
) -> None:
    text = (SAMPLES / sample).read_text()
    values = map(json.loads, text.splitlines() if sample.endswith("l") else [text])
    changed = "\n".join(json.dumps(rewritten(value, REWRITTEN[how])) for value in values)
    read, expected = deals_of(tmp_path, changed + "\0\0"), deals_of(tmp_path, text)
    assert [replace(deal, x=None) for deal in read] == [replace(deal, x=None) for deal in expected]


def test_a_record_is_known_whatever_a_program_wrote_around_and_in_it(tmp_path: Path) -> None:
    lines = (SAMPLES / "online.jsonl").read_text()
    listed = json.dumps([json.loads(line) for line in lines.splitlines()])
    assert deals_of(tmp_path, listed.replace("/", "\\/")) == deals_of(tmp_path, lines)  # as pandas and PHP do
    assert bare(items_of(tmp_path, listed.replace("[", "[null, ", 1))) == deals_of(tmp_path, lines)
    for cut in (lines[:-20], lines.rstrip()[:-1] + ', "note": "\\ud83d"}', json.dumps(TRACKER)[:-9]):
        whys = [item.facts["why"].id for item in items_of(tmp_path, cut) if isinstance(item, Finding)]
        assert whys == ["notation.json-cut"]
    for joined in (lines.replace("\n", ""), lines.splitlines()[0] + ","):
        (behind,) = items_of(tmp_path, joined)
        assert isinstance(behind, Finding)
        assert behind.facts["why"].id == "notation.json-behind"
    assert bare(items_of(tmp_path, listed[:-9])) == deals_of(tmp_path, lines)[:-1]
    tracker = json.dumps(TRACKER | {"name": "Runde }{ [re][kontra]"})
    other = tracker.replace("Trudl", "Resi")  # the same game twice is a finding
    deals, more = deals_of(tmp_path, tracker), deals_of(tmp_path, other)
    for between, form in product(
        ("", " ", ",", "\n", "\n\n,"), ("{0}{1}{2}", "[{0}]{1}[{2}]", '{{"a":[{0}]}}{1}[{2}]')
    ):
        assert deals_of(tmp_path, form.format(tracker, between, other)) == deals + more
    for form, expected, found in (
        ("{0}, // gut", deals, 1), ("[{0}, {2}x", deals + more, 1), ("[{0}, {2}", deals + more, 1),
        ('{{"a": [{0}, {1}', deals, 1),
    ):  # fmt: skip
        items = items_of(tmp_path, form.format(tracker, tracker[:-9], other))
        assert bare(items) == expected
        assert sum(isinstance(item, Finding) for item in items) == found
    toml = (SAMPLES / "pub-rules.toml").read_text()
    assert deals_of(tmp_path, "\ufeff\ufeff" + toml.replace("\n", "\r\r\n") + "\x1a") == deals_of(tmp_path, toml)
    for form in ("{:3} {}\n", "{} : {}\n", "{0} ) {1}\n"):
        listed = "".join(map(form.format, range(1, 999), toml.splitlines()))
        assert deals_of(tmp_path, listed) == deals_of(tmp_path, toml)
    for text in (toml, lines):
        assert deals_of(tmp_path, text.replace("\n", "\r")) == deals_of(tmp_path, text)
    lost = items_of(tmp_path, toml[toml.index("[[deal]]") :] + "\n".join(toml.splitlines()[:9]))
    assert next(item.rule for item in lost if isinstance(item, Finding)) == "unknown-format"  # and JSON claims it not
    session = json.dumps({"format": "schafkopf-record/1", "rules": "pub", "deals": [{"game": "none"}]}, indent=1)
    (unread,) = items_of(tmp_path, session)
    assert isinstance(unread, Finding)
    assert unread.facts["hint"].id == "notation.a-deal-a-line"
    (yaml,) = items_of(tmp_path, "---\nformat: schafkopf-record/1\nrules: pub\ndeal:\n- game: Ben wenz\n")
    assert isinstance(yaml, Finding)
    assert yaml.facts["what"].id == "cli.foreign-yaml"
    quoted = "Wir schreiben so:\nformat: schafkopf-record/1\n\nSpieler: Anna, Ben, Cem, Dora\nBen Wenz gewonnen\n"
    assert len(bare(items_of(tmp_path, quoted))) == 1
    first, rest = re.split('(?<=/1")', toml[toml.index("format") :], maxsplit=1)
    for again in (toml.replace("\n", "\r\n"), rest[1:].replace("\nplayers", f"\n{first}\nplayers")):
        assert deals_of(tmp_path, toml + "\ufeff" + again) == 2 * deals_of(tmp_path, toml)
    record = f'{toml[: toml.index("[[deal]]")]}[[deal]]\ngame = "none"\ntable = "2"\n'
    assert [deal.table for deal in deals_of(tmp_path, record + toml)] == ["2", *[None] * toml.count("[[deal]]")]


@pytest.mark.parametrize("sample", ["netschafkopf.txt", "sauspiel-list.html", "pub-rules.toml", "sauspiel-events.json"])
def test_the_fence_around_a_file_in_a_chat_is_no_part_of_it(tmp_path: Path, sample: str) -> None:
    text = (SAMPLES / sample).read_bytes()
    fenced = items_of(tmp_path, b"```text\n" + text.rstrip() + b"\n```\n")
    assert bare(fenced) == deals_of(tmp_path, text)
    assert places_in(fenced) == []
    ends = [items[-1].source.end_line or 0 for items in (fenced, items_of(tmp_path, text)) if items[-1].source]
    assert ends[0] == ends[1] + 1


# --- what is no record ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [",", ";"])
def test_our_own_table_of_outcomes_is_named_and_not_read_as_a_score_sheet(tmp_path: Path, cut: str) -> None:
    rows = "deal,viewer,session,number,contract,declarer\n1,/deals/1,1,1,solo,Anna\n"
    (item,) = items_of(tmp_path, rows.replace(",", cut), "o.csv")
    assert isinstance(item, Finding)
    assert (item.rule, item.facts["what"].id) == ("foreign-file", "cli.foreign-outcomes")


def test_pages_of_advertising_beside_a_saved_page_are_passed_over_in_an_archive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = tmp_path / "game.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("game.html", PAGE)
        archive.writestr("game_files/saved_resource.html", "<html><body>Werbung</body></html>")
        archive.writestr("Icon\r", "")
    files = list(files_with_progress((str(packed),), None))
    assert [file.importer and file.importer.NAME for file in files] == ["sauspiel-page"]
    assert "saved_resource.html" in capsys.readouterr().err


def test_a_file_named_by_itself_is_never_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "game_files"
    folder.mkdir()
    path = folder / "other.html"
    path.write_text("<html><body>Werbung</body></html>")
    (file,) = files_with_progress((str(path),), None)
    assert [item.rule for item in file.findings] == ["foreign-file"]
