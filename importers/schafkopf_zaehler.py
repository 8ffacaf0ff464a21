"""The data that the app schafkopf_zaehler exports as JSON: tables with their players, their tariff and their deals,
each with what everybody was paid (`docs/formats/schafkopf-zaehler.md`)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace as with_values

from archive.notation.problem import Problem, refuse_entry
from archive.record import Deal, Finding, Session, Source, Stated
from archive.say import message
from importers import app_json
from importers.app_json import Count, Euros, ReadRound
from importers.json_text import Game as ReadGame
from importers.json_text import Part
from importers.text import as_utf8

NAME = "schafkopf-zaehler"
SIGN = b'"tische"'
KEYS = (b'"spielerIds"', b'"runden"', b'"punkteProSpieler"')  # beside the tables, whatever the order of the keys


class Player(Struct):
    id: str
    name: str


class Tariff(Struct):
    call: Euros = field(name="sauspielPreis")
    solo: Euros = field(name="soloPreis")
    extra: Euros = field(name="aufpreis")


class Table(Struct):
    """A table of the app, without its deals. `names` are the ids of the players in the order of the seats."""

    names: list[str] = field(name="spielerIds")
    id: str = ""
    tariff: Tariff | None = field(name="tarif", default=None)


class Round(app_json.Row):
    """A deal. In a game whose winners are chosen one by one, such as a Ramsch, `ours` are those who were chosen."""

    moment: str = field(name="zeitpunkt")
    game: str = field(name="spielartName")
    ours: list[str] = field(name="spielerParteiIds")
    theirs: list[str] = field(name="gegenParteiIds")
    won: bool = field(name="gewonnen")
    price: Euros = field(name="spielwert")
    payments: dict[str, Euros] = field(name="punkteProSpieler")
    id: str = ""
    is_solo: bool = field(name="spielartEinzelspieler", default=False)
    runners: Count = field(name="anzahlLaufende", default=0)
    schneider: bool | None = None
    schwarz: bool | None = None  # older files have none
    drawn: bool = field(name="unentschieden", default=False)
    times: Annotated[int, Meta(ge=1, le=2**20)] = field(name="multiplikator", default=1)


def matches(name: str, head: bytes) -> bool:
    """Return whether the file is an object of JSON that begins with the players of the app, or has the keys of its
    tables."""
    start = as_utf8(head).lstrip()
    if not start.startswith((b"{", b"[")):
        return False
    first = start.lstrip(b"[{ \t\r\n").startswith(b'"allePlayerinnen"')
    return first or (SIGN in start and all(key in start for key in KEYS))


def read(data: bytes, source: Source) -> Iterator[Session | Deal | Finding]:
    """Return a session for each evening of each table, with its deals."""
    return app_json.read_file(data, source, "tische", _games)


def _games(part: Part, value: Any, source: Source) -> Iterator[ReadGame]:
    names = dict[str, str]()
    for each in app_json.member_parts(part, "allePlayerinnen"):
        player, _ = app_json.read_struct(each, Player, source)
        names |= {player.id: player.name} if player else {}
    for each in app_json.member_parts(part, "tische"):
        here = app_json.place_of(each, source)
        table, findings = app_json.read_struct(each, Table, here)
        if table is None:
            yield ReadGame(here, findings, is_game=False)
            continue
        table.names, ids = [names.get(id, id) for id in table.names], table.names
        deal_of, parts = partial(_deal, table, ids), app_json.member_parts(each, "runden")
        rounds = [app_json.read_round(one, Round, source, "zeitpunkt", deal_of) for one in parts]
        yield from app_json.by_evening(rounds, partial(_head, table))


def _deal(table: Table, ids: Sequence[str], row: Round) -> Deal:
    """Return the deal of a round. Raise Problem if it cannot be read."""
    seats = {id: seat for seat, id in enumerate(ids)}
    every = [*row.ours, *row.theirs]
    for id in (*every, *row.payments):
        if id not in seats:
            raise Problem("unknown-player", "spielerIds", id, players=", ".join(table.names), hint="")
    if len(set(every)) != len(every) or len(every) != min(app_json.AT_TABLE, len(ids)):
        refuse_entry("gegenParteiIds", ", ".join(every), message("importers.four-of-table"))
    if unpaid := [table.names[seats[id]] for id in every if id not in row.payments]:
        refuse_entry("punkteProSpieler", ", ".join(unpaid), message("notation.amount-for-each", players=len(every)))
    payments = [app_json.cents("punkteProSpieler", row.payments.get(id, 0.0)) for id in ids]
    out = tuple(seat for id, seat in seats.items() if id not in every)
    ours = [seats[id] for id in row.ours]
    game, has_declarer, size = app_json.game_of("spielartName", row.game)
    if has_declarer and len(ours) != size:
        refuse_entry("spielerParteiIds", ", ".join(row.ours), message("importers.so-many-players", n=size))
    stated = Stated(
        won=row.won if has_declarer else None,
        loser=None if has_declarer else app_json.loser_of(payments),
        schneider=None if row.schwarz else row.schneider,
        schwarz=row.schwarz,
        runner_count=row.runners or None,
        price=None if row.drawn else app_json.cents("spielwert", row.price),
        payments=tuple(payments),
    )
    house, inferred = dict[str, Any](), list[str]()
    prices = _tariff(table.tariff, row.times) if table.tariff else None
    if row.times > 1:  # at a multiple of the tariff, whatever was counted with it
        house |= {"tariff": "/".join(map(str, prices))} if prices else {}
        house |= {"ramsch": {"price": prices[2]}} if prices and row.is_solo else {}
        inferred.append(app_json.evidence("house", "app-factor", times=row.times))
    if row.schwarz and not row.schneider:  # for which the app adds one price
        house |= {"price": {"schwarz": prices[0]}} if prices else {}
        inferred.append(app_json.evidence("house.price", "note-program-prices"))
    return Deal(
        id=row.id or None,
        sits_out=out or None,
        game=with_values(game, declarer=ours[0]) if has_declarer else game,
        partner=ours[1] if has_declarer and size > 1 else None,
        knocks=0 if row.times == 1 else None,
        doubles=0 if row.times == 1 else None,
        stated=stated,
        house=house or None,
        inferred=tuple(inferred) or None,
        x={"multiplikator": row.times} if row.times > 1 else None,
    )


def _head(table: Table, day: str, evening: Sequence[ReadRound[Round]]) -> Session:
    """Return the head of an evening, with the tariff of the file and what the app always does."""
    tariff = "/".join(map(str, _tariff(table.tariff))) if table.tariff else "unknown"
    house, inferred = dict[str, Any](tariff=tariff, contracts=None), [""]
    deals = [(each.row, each.deal.stated) for each in evening if each.row and each.deal]
    solo = {row.is_solo for row, stated in deals if stated and stated.loser is not None}  # of games that one has lost
    if table.tariff and solo == {True}:
        house["ramsch"] = {"price": _tariff(table.tariff)[2]}
        inferred.append(app_json.evidence("house.ramsch", "note-program-prices"))
    if any(each.deal and each.deal.partner is not None for each in evening):
        inferred.append(app_json.evidence("game", "app-first-declares"))
    return app_json.session_of(table.names, day, house, inferred, evening, id=table.id)


def _tariff(tariff: Tariff, times: int = 1) -> tuple[int, int, int]:
    """Return the prices in cents, multiplied by `times`: of a runner, a Rufspiel, a Solo."""
    extra, call, solo = (times * round(abs(price) * 100) for price in (tariff.extra, tariff.call, tariff.solo))
    return extra, call, solo
