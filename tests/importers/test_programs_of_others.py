"""Tables and files that programs of others write, typed by their shapes: what each says, read as deals and lists."""

from pathlib import Path

import pytest

from archive.judge.judge_stream import judge_stream
from archive.record import Deal, Finding, Session, Source, Stated
from importers import find, score_sheet

SAMPLES = Path(__file__).parents[2] / "sample_games" / "valid"
Items = list[Session | Deal | Finding]


def read(data: bytes, path: str = "file") -> Items:
    """What the only importer that claims a file makes of it."""
    (importer,) = find(path, data)
    return list(importer.read(data, Source(path)))


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def heads(items: Items) -> list[Session]:
    return [item for item in items if isinstance(item, Session)]


def deals(items: Items) -> list[Deal]:
    return [item for item in items if isinstance(item, Deal)]


def findings(items: Items) -> list[tuple[str, int]]:
    return [(item.rule, item.source.line if item.source else 0) for item in items if isinstance(item, Finding)]


def stated(deal: Deal) -> Stated:
    assert deal.stated
    return deal.stated


def verdicts(items: Items) -> list[str]:
    return [judged.verdict for judged in judge_stream(items) if not isinstance(judged, (Session, Finding))]


# --- Schafkopfauswerter -----------------------------------------------------------------------------------------------

ROW = "<tr><td>{}</td></tr>"


def session_page(*rows: str, stock: str = "nein") -> bytes:
    """A page of the program with these rows behind the first; cells are parted by blanks."""
    head = "Anzahl Spieler Spiel Preis Marei Hias Korbi Leni Gewonnen Stock".replace(" ", "</th><th>")
    body = "\n".join(ROW.format(row.replace("_", " ").replace(" ", "</td><td>", 9)) for row in rows)
    prices = f"<p>Rufspiel: 20</p><p>Solo: 50</p><p>Laufende/Schneider: 10</p><p>Stock: {stock}</p>"
    return (
        f"Preise:\n{prices}\n<p>Tabelle:</p>\n<table>\n<thead>\n<tr><th>{head}</th></tr>\n</thead>\n<tbody>\n"
        f"{ROW.format('0 / / 0 0 0 0 0 keiner 0'.replace(' ', '</td><td>'))}\n{body}\n</tbody>\n</table>\n"
    ).encode()


def test_a_session_of_schafkopfauswerter_is_read_with_what_each_deal_paid() -> None:
    items = read(sample("schafkopfauswerter.html"))
    (head,) = heads(items)
    assert head.players == ("Marei", "Hias", "Korbi", "Leni")
    assert head.house == {
        "tariff": "10/20/50", "price": {"sie": 65}, "tout": "base+runners", "knock": "anyone", "stoss": {"limit": 4},
    }  # fmt: skip
    games = [(each.game.contract, each.game.declarer, each.game.words) for each in deals(items) if each.game]
    assert games == [
        ("none", None, ()), ("rufspiel", 0, ()), ("solo", 1, ()), ("solo", 3, ("tout",)), ("sie", 2, ()),
        ("rufspiel", 3, ()),
    ]  # fmt: skip
    assert [stated(each).payments for each in deals(items)] == [
        (0, 0, 0, 0), (20, 20, -20, -20), (60, -180, 60, 60), (-160, -160, -160, 480), (-260, -260, 780, -260),
        (-40, 40, 40, -40),
    ]  # fmt: skip
    assert [stated(each).price for each in deals(items)] == [None, 20, 60, 160, 260, 40]
    assert [stated(each).won for each in deals(items)] == [None, True, False, True, True, False]
    assert [each.partner for each in deals(items)] == [None, 1, None, None, None, 0]
    assert findings(items) == []


def test_a_page_of_schafkopfauswerter_without_a_head_of_the_winner_pays_its_stock_as_the_program_does() -> None:
    items = read(sample("schafkopfauswerter-stock.html"))
    assert heads(items)[0].house["stock"] == {"amount": 20, "won_by": ["rufspiel"]}  # type: ignore[index]
    assert [stated(each).stock for each in deals(items)] == [80, 160, 0]
    assert [stated(each).payments for each in deals(items)] == [(-20,) * 4, (20, -60, 20, -60), (100, -20, 100, -20)]
    assert verdicts(items) == ["agrees"] * 3


@pytest.mark.parametrize(
    ("row", "paid"),
    [
        ("1 Hias Rufspiel 20 20 20 -20 -20 ja 0", (20, 20, -20, -20)),
        ("2 Hias Rufspiel 20 20 20 -20 -20 ja 0", None),  # a row before it is missing: the difference is of two deals
        ("1 Hias Rufspiel 20 20 2x -20 -20 ja 0", None),
    ],
)
def test_a_difference_is_stated_only_from_one_row_to_the_next(row: str, paid: tuple[int, ...] | None) -> None:
    items = read(session_page(row))
    assert [stated(each).payments for each in deals(items)] == ([paid] if "2x" not in row else [])
    assert findings(items) == ([("bad-entry", 10)] if "2x" in row else [])


def test_a_deal_of_schafkopfauswerter_that_was_changed_by_hand_is_seen() -> None:
    items = read(session_page("1 Hias Rufspiel 20 20 20 -20 -20 ja 0", "2 / Weiter 0 20 20 -10 -20 keiner 0"))
    assert "differs" in verdicts(items)


def test_a_file_beside_a_page_may_name_the_rules_and_not_the_columns(tmp_path: Path) -> None:
    (tmp_path / "a.columns.toml").write_text('rules = "pub"\n[house]\ntariff = "5/20/50"\n')
    items = list(score_sheet.read(sample("schafkopfauswerter.html"), Source(str(tmp_path / "a.html"))))
    assert heads(items)[0].rules == "pub"
    assert heads(items)[0].house["tariff"] == "5/20/50"  # type: ignore[index]
    assert len(deals(items)) == 6
