"""Lists that the program SchafkopfTurnier exports as CSV, with the points of the tournament or of each round: a row for
each player, or for each player and round. Each becomes a list of the former (`docs/formats/schafkopfturnier.md`)."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import PurePath

from msgspec import Struct

from archive.record import Source
from archive.say import message
from importers.score_sheet.amount_columns import cell_text
from importers.score_sheet.columns import row_text
from importers.score_sheet.mappings import ColumnMapping
from importers.score_sheet.tables import Row, Sheet

NAMED = ("nr", "nachname", "vorname", "wohnort")  # heads of every list, beside points in total or by round
POINTS = {"punkte", "punkte_gesamt"}
ABOVE = ("turnier", "turnier_titel", "datum", "event_date")  # about the tournament, the same in every row
OF_ROUND = r"(punkte|soli|tisch)_r([1-9]\d?)"
PLACE_OF_ROUND = r"platz_r\d+"
NUMBER = r"[1-9]\d?"
FILE_OF_ROUND = r"(?i)R0?([1-9]\d?)"  # R03.csv; nothing in it has the number
HEADS = {"tisch": "Tisch", "punkte": "Runde", "soli": "Soli"}  # with the number of the round
WHOLE = {"platz_gesamt": "Platz", "platz": "Platz", "punkte_gesamt": "Summe"}
OTHERS = {
    *"beginn start_time marker turnier_id plz ort email sitz tp_id created_at updated_at runde soli_gesamt".split()
}
FOOT = "check"  # begins the row below the players of a table
HOUSE = {"standings": ["solos"]}  # the program ranks equal points by Soli

Cells = dict[tuple[int, str], str]  # by the round and the role


class Player(Struct):
    """A player of an export: the first row, the number, the name, the home town, the cells of his rounds."""

    row: Row
    number: str
    name: str
    home: str
    rounds: Cells

    @property
    def is_same(self) -> tuple[str, str, str]:
        return self.number, self.name, self.home


def program_lists(sheet: Sheet, source: Source) -> list[Sheet]:
    """Return the list of players of an export, one for each where several were joined; [] for any other sheet."""
    starts = [at for at, row in enumerate(sheet.rows) if row.cells == sheet.rows[0].cells]
    parts = (sheet._replace(rows=sheet.rows[start:end]) for start, end in pairwise([*starts, len(sheet.rows)]))
    lists = [_program_list(part, source) for part in parts]
    return [each for each in lists if each]


def _program_list(sheet: Sheet, source: Source) -> Sheet | None:
    head = sheet.rows[0]
    heads = {} if head.broken else {text: at for at, text in enumerate(head.cells) if text}
    if not heads.keys() >= {*NAMED} or not heads.keys() & POINTS or not all(map(_is_known, heads)):
        return None
    body = [row for row in sheet.rows[1:] if cell_text(row, 0) != FOOT]
    players, strays = _players(body, heads, source)
    names = _names(players)
    keys = sorted(
        {key for player in players for key in player.rounds}, key=lambda key: (key[0], [*HEADS].index(key[1]))
    )
    whole = [(title, heads[text]) for text, title in WHOLE.items() if text in heads]
    titles = [*(title for title, _ in whole), "Nr", "Name", "Wohnort"]
    rows = [head._replace(cells=(*titles, *(f"{HEADS[role]} {number}" for number, role in keys)))]
    for player, name in zip(players, names, strict=True):
        cells = (*(cell_text(player.row, at) for _, at in whole), player.number, name, player.home)
        rows.append(player.row._replace(cells=(*cells, *(player.rounds.get(key, "") for key in keys))))
    above = ({cell_text(row, heads[text]) for row in body} for text in ABOVE if text in heads)
    titles = [only for texts in above if len(texts) == 1 and (only := texts.pop())]  # of the tournament, and its date
    evidence = [("house.standings", message("importers.note-program-places"))]
    if longer := [name for player, name in zip(players, names, strict=True) if name != player.name]:
        evidence.append(("players", message("importers.note-same-name", names=", ".join(longer))))
    return sheet._replace(
        rows=[*(head._replace(cells=(text,)) for text in titles), *rows, *strays],
        mapping=ColumnMapping(skip=["Wohnort"], house=HOUSE),
        evidence=tuple(evidence),
    )


def _is_known(text: str) -> bool:
    """Return whether a head is one of the program's, so that nobody else's column is left out."""
    known = {*NAMED, *POINTS, *ABOVE, *HEADS, *WHOLE, *OTHERS}
    return text in known or bool(re.fullmatch(OF_ROUND, text) or re.fullmatch(PLACE_OF_ROUND, text))


def _players(body: Sequence[Row], heads: dict[str, int], source: Source) -> tuple[list[Player], list[Row]]:
    """Return the players with the cells of their rounds, and the rows without a player or a round."""
    of_file = re.match(FILE_OF_ROUND, PurePath(source.path).stem)
    only = of_file[1] if of_file and "tisch" in heads else "1"
    players: list[Player] = []
    known: dict[tuple[str, str, str], Player] = {}
    strays: list[Row] = []
    for row in body:
        number, surname, first, home = (cell_text(row, heads[text]) for text in NAMED)
        rounds = {} if row.broken else _rounds(row, heads, only)
        if row.broken or not rounds or not surname + first:
            strays.append(row if row.broken else row._replace(broken=row_text(row)))
            continue
        player = Player(row, number, f"{surname} {first}".strip(), home, rounds)
        before = known.get(player.is_same)
        if before and not before.rounds.keys() & rounds.keys():
            before.rounds |= rounds
        else:
            known[player.is_same] = player
            players.append(player)
    return players, strays


def _rounds(row: Row, heads: dict[str, int], only: str) -> Cells:
    """Return the cells of a row by their rounds: the one in its column, the only one, or each in columns of its own."""
    if wide := {(int(match[2]), match[1]): at for text, at in heads.items() if (match := re.fullmatch(OF_ROUND, text))}:
        return {key: cell_text(row, at) for key, at in wide.items()}
    number = cell_text(row, heads["runde"]) if "runde" in heads else only
    if not re.fullmatch(NUMBER, number):
        return {}
    return {(int(number), role): cell_text(row, heads[role]) for role in HEADS if role in heads}


def _names(players: Iterable[Player]) -> list[str]:
    """Return the name of each player, with the home town if another has the same name, and with the number if that is
    not enough."""
    each = [player.name for player in players]
    for part in ("home", "number"):
        counts = Counter(each)
        added = (getattr(player, part) for player in players)
        each = [
            f"{name} ({text})" if counts[name] > 1 and text else name for name, text in zip(each, added, strict=True)
        ]
    return each
