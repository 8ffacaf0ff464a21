"""Our deals as the list of games that a search on sauspiel.de gives: the first player of the head is logged in."""

from html import escape
from typing import Any

from msgspec.structs import replace

from archive.record import Deal, Session, Stated
from support.writers.sauspiel_page import CALLED, ROOT, amount, code, counts, time_of, title

OWN = "hands: the hand of a list is that of the player who is logged in"
SHOWN = "by what is played in this deal"


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    """Return what a list has of a deal."""
    game, stated = deal.game, deal.stated or Stated()
    house: dict[str, Any] = {
        "tariff": "unknown", "knock": "anyone", "tout": "base+runners", "wishes": True, "runners_from": {"farbwenz": 3},
        "stoss": {"limit": 4},
    }  # fmt: skip
    evidence = []
    if game.contract in ("farbwenz", "geier", "ramsch"):
        house["contracts"] = ["rufspiel", "wenz", "solo", "sie", game.contract]
        house |= {"all_pass": "ramsch"} if game.contract == "ramsch" else {}
        evidence = [f"house.{key}: {SHOWN}" for key in house if key in ("contracts", "all_pass")]
    time = time_of(head, deal)
    session = Session(
        players=head.players, rules="bavarian", date=time[:10], place=place(head), unit=head.unit or "P", house=house,
        inferred=tuple(evidence) or None, origin="sauspiel.de",
    )  # fmt: skip
    kept = Stated(
        runners=stated.runners if counts(game, stated.runners) else None, price=stated.price, result=outcome(deal)
    )
    if game.declarer is not None:
        points = stated.points
        assert points is None or isinstance(points, int)
        kept = replace(kept, won=stated.won, points=points)
    thrown_in = game.contract == "none"
    return session, Deal(
        id=deal.id,
        inferred=None if thrown_in else (OWN,),
        hands=None if thrown_in else (deal.hands[0], None, None, None) if deal.hands else None,
        knocks=number(deal.knocks) or None,
        game=game,
        doubles=None if thrown_in else number(deal.doubles),
        stated=kept,
        url=f"{ROOT}/spiele/{deal.id}-{slug(deal)}",
        time=time,
    )


def place(head: Session) -> str:
    return head.place or "in der Wirtschaft"


def number(said: Any) -> int:
    return len(said) if isinstance(said, tuple) else said or 0


def slug(deal: Deal) -> str:
    return f"{deal.game.contract}-{CALLED.get(deal.game.called or '', deal.game.suit or 'spiel').lower()}"


def outcome(deal: Deal) -> str | None:
    stated = deal.stated or Stated()
    if deal.game is None or deal.game.declarer is None:
        return None
    return f"{'gewonnen' if stated.won else 'verloren'} mit {stated.points}"


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return one page with all games."""
    lines = [
        "<!DOCTYPE html>", '<html lang="de">', "<head>", '<meta charset="utf-8">', "<title>Spiele - Sauspiel</title>",
        "</head>", "<body>", f'<span class="topbar-username-mobile">{escape(head.players[0])}</span>',
    ]  # fmt: skip
    for deal in deals:
        lines += _item(head, deal)
    return ["\n".join([*lines, "</body>", "</html>", ""]).encode()]


def _item(head: Session, deal: Deal) -> list[str]:
    stated, time = deal.stated or Stated(), time_of(head, deal)
    thrown_in, day = deal.game.contract == "none", f"{time[8:10]}.{time[5:7]}.{time[:4]} {time[11:16]}"
    short = " - Kurze Karte" if (head.house or {}).get("deck") == 24 else ""
    lines = [
        '<div class="card games-item">',
        f'<h4 class="card-title"><a href="/spiele/{deal.id}-{slug(deal)}">',
        escape(title(deal.game, head.players, stated.runners)),
        "</a></h4>",
        f'<p class="card-title-subtext">#{deal.id} - {day}, {place(head)}{short}</p>',
    ]
    if not thrown_in and deal.hands:
        cards = (
            f'<li class="card-icon card-icon-by card-icon-{code(card)}">{code(card)}</li>'
            for card in deal.hands[0] or ()
        )
        lines += ["<ul>", *cards, "</ul>"]
    for name in head.players:
        shown = escape(name)
        lines.append(f'<a data-userid="7" data-username="{shown}" href="/profile/{shown}">{shown}</a>')
    text = outcome(deal)
    lines += [f"<p>{text}</p>"] if text else []
    lines.append(f"<p>Ergebnis: {amount(stated.price or 0, head.unit or 'P')}</p>")
    lines.append(f"<p>{'' if thrown_in else number(deal.doubles)}x Kontra</p>")
    lines += [f"<p>{number(deal.knocks)}x geklopft</p>"] if number(deal.knocks) else []
    return [*lines, "</div>"]
