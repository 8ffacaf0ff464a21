"""Our deals as game pages of sauspiel.de, in the layout of today and in the one from before 2016.

A page begins with forehand, so that its players are those of the table turned. It cannot hold the moment of a Kontra,
the points of a Ramsch, runners that do not count. Facts that it always has and our deals may lack are made up the same
way in `write` and in `held`: time, bidding, who took each trick.
"""

from html import escape
from typing import Any

from msgspec.structs import replace

from archive.cards import NAMES
from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.record import Call, Deal, Double, Game, Session, Stated, Trick

SUITS = {"E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schellen"}
CALLED = {"EA": "Alte", "GA": "Blaue", "SA": "Hundsgfickte"}
TITLES = {"rufspiel": "Sauspiel", "solo": "Solo", "wenz": "Wenz", "farbwenz": "Farbwenz", "geier": "Geier"}
RULES = {"farbwenz": "Farbwenz", "geier": "Geier", "ramsch": "Ramsch"}
PIPS = {"Z": "Zehn", "9": "Neun", "8": "Acht", "7": "Sieben"}
OWN = {"EO": "Der Alte", "GO": "Der Blaue", "HO": "Der Rote", "SO": "Der Runde", "EA": "Die Alte", "GA": "Die Blaue"}
OWN |= {"SA": "Die Hundsgfickte"}
MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
DEALER = "dealer: forehand is the first of the four players, the dealer the last"
ROOT = "https://www.sauspiel.de"


# --- what a page holds ------------------------------------------------------------------------------------------------


def turned(head: Session, deal: Deal) -> tuple[tuple[str, ...], Deal]:
    """Return the players from forehand on, and the deal with its seats counted so."""
    assert deal.dealer is not None
    first = (deal.dealer + 1) % 4

    def at(seat: int) -> int:
        return (seat - first) % 4

    def by_seat(values: Any) -> Any:
        return tuple(values[(seat + first) % 4] for seat in range(4)) if isinstance(values, tuple) else values

    game, stated = deal.game, deal.stated or Stated()
    return by_seat(head.players), replace(
        deal,
        dealer=3,
        hands=by_seat(deal.hands),
        knocks=tuple(map(at, deal.knocks)) if isinstance(deal.knocks, tuple) else (),
        doubles=tuple(Double(at(each.seat), each.word) for each in deal.doubles) if deal.doubles else (),  # type: ignore[union-attr]
        game=game if game.declarer is None else replace(game, declarer=at(game.declarer)),
        tricks=tuple(Trick(each.cards, None if each.leader is None else at(each.leader)) for each in deal.tricks or ()),
        auction=auction(game, None if game.declarer is None else at(game.declarer)),
        stated=replace(stated, payments=by_seat(stated.payments)),
    )


def auction(game: Game, declarer: int | None) -> tuple[Call, ...]:
    """Return an auction in which everybody passes but the declarer, who then names the game."""
    calls = [Call(seat, "play" if seat == declarer else "pass") for seat in range(4)]
    if declarer is not None:
        calls.append(Call(declarer, f"{game.contract} tout" if game.words else f"have-{game.contract}"))
    if declarer is not None and game.suit:
        calls.append(Call(declarer, " ".join([game.contract, game.suit, *game.words])))
    return tuple(calls)


def counts(game: Game, runners: int | None) -> bool:
    """Return whether the title names the runners."""
    return bool(runners) and abs(runners or 0) >= (2 if game.contract in ("wenz", "geier") else 3)


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    """Return what the page of a deal has, as the importer must give it back."""
    players, own = turned(head, deal)
    game, stated = own.game, own.stated
    session = Session(
        players=players, rules="bavarian", event=head.event, date=time_of(head, deal)[:10], unit=head.unit or "P",
        house=house(head), origin="sauspiel.de",
    )  # fmt: skip
    kept = Stated(
        points=stated.points if game.declarer is not None else None,
        won=stated.won,
        partner=partner(own),
        winners=winners(head, deal),
        runners=stated.runners if counts(game, stated.runners) else None,
        price=stated.price,
        payments=stated.payments,
        result=outcome(game, stated) or None,
    )
    if game.declarer is not None:
        level = level_of(stated)
        kept = replace(kept, schneider={"Normal": False, "Schneider": True}.get(level), schwarz=level == "Schwarz")
    elif stated.payments and sum(pay is not None and pay < 0 for pay in stated.payments) == 1:
        kept = replace(kept, loser=min(range(4), key=lambda seat: stated.payments[seat] or 0))  # type: ignore[index]
    return session, Deal(
        id=own.id, inferred=(DEALER,), dealer=3, hands=own.hands, packet=own.packet, knocks=own.knocks,
        auction=own.auction, game=game, doubles=own.doubles, tricks=own.tricks or None, stated=kept,
        url=f"{ROOT}/spiele/{own.id}", time=time_of(head, deal),
        x=own.x,
    )  # fmt: skip


def house(head: Session) -> dict[str, Any]:
    own = head.house or {}
    named = own.get("contracts", [])
    found: dict[str, Any] = {
        "knock": "anyone", "tout": "base+runners", "wishes": True, "runners_from": {"farbwenz": 3},
        "stoss": {"limit": 4}, "deck": own.get("deck", 32),
        "contracts": ["rufspiel", "wenz", "solo", "sie", *(each for each in RULES if each in named)],
    }  # fmt: skip
    found |= {"tariff": own.get("tariff", "unknown")}
    return found | ({"all_pass": "ramsch"} if "ramsch" in named else {})


def time_of(head: Session, deal: Deal) -> str:
    return deal.time or f"{head.date or '2026-04-15'}T20:08"


def judged(head: Session, deal: Deal) -> Judgement:
    return next(iter(judge_session(head, (deal,))))


def winners(head: Session, deal: Deal) -> tuple[int, ...] | None:
    """Return who takes each trick, counted from forehand."""
    found = judged(head, deal)
    if not found.replay or not deal.tricks or deal.dealer is None:
        return None
    return tuple((seat - deal.dealer - 1) % 4 for seat in found.replay.winners if seat is not None) or None


def partner(own: Deal) -> int | None:
    if not own.game or not own.game.called or not own.hands:
        return None
    return next((seat for seat, hand in enumerate(own.hands) if hand and own.game.called in hand), None)


# --- words ------------------------------------------------------------------------------------------------------------


def name_of(card: str) -> str:
    return OWN.get(card) or f"{SUITS[card[0]]}-{PIPS.get(card[1]) or NAMES['german'][1].get(card[1])}"


def code(card: str) -> str:
    return card.replace("Z", "X")


def title(game: Game, players: tuple[str, ...], runners: int | None) -> str:
    if game.declarer is None:
        return {"none": "Zamgworfen", "ramsch": "Ramsch"}[game.contract]
    text = TITLES[game.contract]
    if game.called:
        text = f"{text} auf die {CALLED[game.called]}"
    elif game.suit:
        text = f"{SUITS[game.suit]}-{text}"
    text += "-Tout" if game.words else ""
    if counts(game, runners):
        text += f" {'mit' if (runners or 0) > 0 else 'ohne'} {abs(runners or 0)}"
    return f"{text} von {players[game.declarer]}"


def amount(value: int, unit: str) -> str:
    if unit == "ct":
        return f"€ {'-' if value < 0 else ''}{abs(value) // 100},{abs(value) % 100:02}"
    return f"{unit} {value:,}".replace(",", ".")


def tariff(text: str, unit: str) -> str:
    """Return `10/20/50`; extra and one price for both if they are the same."""
    extra, call, solo = text.split("/")
    numbers = [extra, solo] if call == solo else [extra, call, solo]
    shown = [amount(int(each), unit).removeprefix("€ ").removeprefix(f"{unit} ") for each in numbers]
    return f"{'€' if unit == 'ct' else unit} {' / '.join(shown)}"


def level_of(stated: Stated) -> str:
    return "Schwarz" if stated.schwarz else "Schneider" if stated.schneider else "Normal"


def outcome(game: Game, stated: Stated) -> str:
    if game.declarer is None:
        return ""
    return f"{'Gewonnen' if stated.won else 'Verloren'} mit {stated.points} Augen ({level_of(stated)})"


def said(call: Call, game: Game) -> str:
    plain = {
        "pass": "sagt weiter.",
        "play": "dad gern.",
        "good": "lässt den Vortritt.",
        "timeout": "sagt weiter. (timeout)",
    }
    if call.call in plain:
        return plain[call.call]
    contract, _, rest = call.call.removeprefix("have-").partition(" ")
    rest = rest.split(" ")[0]
    if rest in SUITS:
        if contract == "rufspiel":
            return f"spielt auf die {CALLED[rest + 'A']}."
        return f"spielt {SUITS[rest].replace('Schellen', 'Schelle')}."
    article = "a" if contract in ("rufspiel", "solo") else "an"
    return f"hätt {article} {TITLES[contract]}{'-Tout' if rest else ''}."


# --- pages ------------------------------------------------------------------------------------------------------------


def write(head: Session, deals: tuple[Deal, ...], old: bool = False) -> list[bytes]:
    """Return a page for each deal."""
    return [page(head, deal, old=old).encode() for deal in deals]


def page(head: Session, deal: Deal, *, old: bool = False) -> str:
    players, own = turned(head, deal)
    lines = [*_head(head, deal, players, own, old)]
    lines += [*_players_old(head, players, own)] if old else [*_players(head, players, own)]
    lines += [*_table(head, players, own, old)]
    lines += [*_hands_old(players, own)] if old else [*_hands(players, own)]
    lines += [] if old else [*_bidding(players, own)]
    taken = winners(head, deal) or ()
    for number, (trick, winner) in enumerate(zip(own.tricks or (), taken, strict=True), 1):
        lines += [*(_trick_old if old else _trick)(players, number, trick, winner)]
    return "\n".join([*lines, "</main>", "</body>", "</html>", ""])


def _head(head: Session, deal: Deal, players: tuple[str, ...], own: Deal, old: bool) -> list[str]:
    assert own.game
    text = escape(title(own.game, players, own.stated.runners if own.stated else None))
    time = time_of(head, deal)
    day = f"{int(time[8:10])}. {MONTHS[int(time[5:7]) - 1]} {time[:4]}"
    number = f"{int(own.id or 0):,}".replace(",", ".")
    return [
        "<!DOCTYPE html>", '<html lang="de">', "<head>", '<meta charset="utf-8">',
        f"<title>{text} - Sauspiel</title>", f'<meta property="og:title" content="{text}">',
        f'<meta property="og:url" content="{ROOT}/spiele/{own.id}">', "</head>", "<body>", "<main>",
        f'<h1 class="{"game-name-title" if old else "title"}">', text, "</h1>",
        f'<h2 class="title-supertext">Spiel #{number}, vom {day}, um {time[11:16]}</h2>',
    ]  # fmt: skip


def _link(name: str) -> str:
    shown, number = escape(name), sum(name.encode())
    return f'<a data-userid="{number}" data-username="{shown}" class="profile-link" href="/profile/{shown}">{shown}</a>'


def _roles(own: Deal) -> list[str]:
    game, mate = own.game, partner(own)
    if game is None or game.declarer is None:
        return ["", "", "", ""]
    return [
        "Spieler" if seat == game.declarer else "Mitspieler" if seat == mate else "Gegenspieler" for seat in range(4)
    ]


def _players(head: Session, players: tuple[str, ...], own: Deal) -> list[str]:
    lines = ['<div class="game-participants">']
    for name, role, pay in zip(players, _roles(own), (own.stated or Stated()).payments or (), strict=True):
        mark = " highlight" if (pay or 0) > 0 else ""
        shown = amount(pay or 0, head.unit or "P")
        lines += [
            f'<div class="game-participant{mark}">', f'<div class="game-participant-avatar">{_link(name)}</div>',
            f'<div class="game-participant-role">{role} <span>{shown}</span></div>', "</div>",
        ]  # fmt: skip
    return [*lines, "</div>"]


def _players_old(head: Session, players: tuple[str, ...], own: Deal) -> list[str]:
    lines = ['<div class="players">']
    for name, role, pay in zip(players, _roles(own), (own.stated or Stated()).payments or (), strict=True):
        mark = "highlight" if (pay or 0) > 0 else ""
        shown = amount(pay or 0, head.unit or "P")
        lines.append(f'<div class="player {mark}">{_link(name)}<p>{role} <span>{shown}</span></p></div>')
    return [*lines, "</div>"]


def _named(players: tuple[str, ...], seats: tuple[int, ...]) -> str:
    links = (f'<a href="#{escape(players[seat])}_Karten">{escape(players[seat])}</a>' for seat in seats)
    return ", ".join(links) or "-"


def _table(head: Session, players: tuple[str, ...], own: Deal, old: bool) -> list[str]:
    game, stated, unit, setting = own.game, own.stated, head.unit or "P", head.house or {}
    assert game
    rules = ["Kurze Karte"] if setting.get("deck") == 24 else []
    rules += [text for contract, text in RULES.items() if contract in setting.get("contracts", [])]
    images = "".join(f'<img class="rules__rule" src="/rule.png" title="{each}" alt="">' for each in rules)
    doubles = own.doubles if isinstance(own.doubles, tuple) else ()
    knocks = own.knocks if isinstance(own.knocks, tuple) else ()
    played = ("Tarif", tariff(setting["tariff"], unit)) if "tariff" in setting else ("Turnier", head.event or "")
    rows = [
        played,
        ("Sonderregeln", images or "-"),
        ("Laufende", str(abs(stated.runners or 0)) if counts(game, stated.runners) else "-"),
        ("Spielausgang", outcome(game, stated) or "-"),
        ("Wert", amount(stated.price or 0, unit)),
        ("Klopfer", _named(players, knocks)),
        ("Kontra und Retour", _named(players, tuple(each.seat for each in doubles))),
    ]
    mark = "" if old else ' class="game-result-table"'
    lines = [f"<table{mark}>"]
    return [*lines, *(f"<tr><th>{label}</th><td>{text}</td></tr>" for label, text in rows), "</table>"]


def _hands(players: tuple[str, ...], own: Deal) -> list[str]:
    lines = ['<div class="card">', '<h4 class="card-title">Karten werden ausgegeben</h4>', '<div class="card-rows">']
    first = (own.x or {}).get("first packet", {})
    for name, hand in zip(players, own.hands or (), strict=True):
        lines.append(f'<div class="card-row game-protocol-item" id="{escape(name)}_Karten">')
        lines += [_link(name), '<div class="game-protocol-cards">']
        for place, card in enumerate(hand or ()):
            mark = " highlight" if place < (own.packet or 0) or card in first.get(name, "") else ""
            lines.append(
                f'<span class="card-image by g3 {code(card)}{mark}" title="{name_of(card)}">{name_of(card)}</span>'
            )
        lines += ["</div>", "</div>"]
    return [*lines, "</div>", "</div>"]


def _hands_old(players: tuple[str, ...], own: Deal) -> list[str]:
    lines = []
    for hand in own.hands or ():
        marks = [" highlight" if place < (own.packet or 0) else "" for place in range(len(hand or ()))]
        spans = (
            f'<span class="card-image by g2 {code(card)}{mark}"></span>'
            for card, mark in zip(hand or (), marks, strict=True)
        )
        lines.append(f'<div class="show-hand">{"".join(spans)}</div>')
    return lines


def _bidding(players: tuple[str, ...], own: Deal) -> list[str]:
    assert own.game
    lines = ['<div class="card">', '<h4 class="card-title">Spielermittlung</h4>', '<div class="card-rows">']
    for call in own.auction or ():
        lines += ['<div class="card-row">', escape(players[call.seat]), said(call, own.game), "</div>"]
    return [*lines, "</div>", "</div>"]


def _trick(players: tuple[str, ...], number: int, trick: Trick, winner: int) -> list[str]:
    lines = [
        '<div class="card">', f'<h4 class="card-title">{number}. Stich</h4>',
        f'<div class="game-participant-avatar">Stich von {_link(players[winner])}</div>',
        '<div class="card-content game-protocol-trick game-protocol-item">',
    ]  # fmt: skip
    for place, card in enumerate(trick.cards):
        seat = ((trick.leader or 0) + place) % 4
        mark = " highlight" if seat == winner else ""
        lines += [
            f'<div class="game-protocol-trick-card position-{place}{mark}">', _link(players[seat]),
            f'<span class="card-image by g3 {code(card)}" title="{name_of(card)}">{name_of(card)}</span>', "</div>",
        ]  # fmt: skip
    return [*lines, "</div>", "</div>"]


def _trick_old(players: tuple[str, ...], number: int, trick: Trick, winner: int) -> list[str]:
    lines = ['<div class="content_full trick-container">', f"<h3>{number}. Stich</h3>", '<div class="tricks">']
    for place, card in enumerate(trick.cards):
        seat = ((trick.leader or 0) + place) % 4
        mark = "highlighted" if seat == winner else ""
        span = f'<span class="card-image by g2 {code(card)}"></span>'
        lines.append(f'<div class="card position{place} {mark}">{_link(players[seat])}{span}</div>')
    return [*lines, "</div>", "</div>"]
