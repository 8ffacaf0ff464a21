"""Our deals as the chat of the game client tells them: calls, knocks, Kontra and the result, to the third player."""

from archive.cards import SUIT_NAMES
from archive.judge import Judgement
from archive.judge.judge_deal import judge_session
from archive.record import Call, Deal, Double, Game, Session, Stated
from importers.sauspiel.chat import DEALER, SEATED

OWNER = 2
PLAYERS = ("Resi", "Ex-Sauspieler #11557", "Du", "Der Xaver")
HOUSE = {
    "tariff": "unknown",
    "knock": "anyone",
    "tout": "base+runners",
    "wishes": True,
    "runners_from": {"farbwenz": 3},
    "stoss": {"limit": 4},
    "contracts": ["rufspiel", "wenz", "solo", "sie", "farbwenz", "geier", "ramsch"],
    "all_pass": "ramsch",
}
ACES = {"E": "auf die Alte", "G": "auf die Blaue", "S": "auf die Kugel"}


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return one log, with chat and comings and goings between the events."""
    lines = ["Griaß eich am Tisch!"]
    for found in judge_session(head, deals):
        lines += [
            *_game(found),
            "Resi: wenz wenz wenz, i wart auf an Solo",
            "Der Zenzi ihr Mo hat den Tisch verlassen.",
        ]
    return ["\n".join(lines).encode()]


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    """Return everything except hands, tricks, runners, price, and the amounts of the others."""
    found = next(iter(judge_session(head, [deal])))
    game, stated, settlement, replay = deal.game, deal.stated, found.settlement, found.replay
    session = Session(
        players=PLAYERS,
        rules="bavarian",
        recorder="Du",
        unit="P",
        house=HOUSE,
        inferred=(
            SEATED,
            "house.contracts: by what is played in a game of the session",
            "house.all_pass: by what is played in a game of the session",
        ),
        origin="sauspiel.de",
    )
    each = game.contract == "ramsch"
    assert isinstance(stated.points, int)
    points = replay.points[settlement.loser] if each and settlement.loser is not None else stated.points
    payments = stated.payments or ()
    back = Deal(
        id=deal.id,
        inferred=(DEALER,),
        dealer=deal.dealer,
        knocks=deal.knocks if isinstance(deal.knocks, tuple) else (),
        auction=tuple(Call(seat, call) for seat, _, call in _calls(deal)),
        game=Game(game.contract, game.declarer, game.suit, game.called or None, game.words),
        doubles=tuple(Double(said.seat, "re" if n % 2 else "kontra") for n, said in enumerate(_doubles(deal))),
        stated=Stated(
            points=tuple(points if seat == settlement.loser else None for seat in range(4)) if each else points,
            won=None if each else stated.won,
            partner=replay.partner,
            loser=settlement.loser,
            payments=tuple(amount if seat == OWNER else None for seat, amount in enumerate(payments)),
            result=_result(found),
        ),
    )
    return session, back


def _doubles(deal: Deal) -> tuple[Double, ...]:
    return deal.doubles if isinstance(deal.doubles, tuple) else ()


def _game(found: Judgement) -> list[str]:
    """Return the lines of a deal."""
    deal = found.deal
    knockers = deal.knocks if isinstance(deal.knocks, tuple) else ()
    knocks = [f"{_who(seat)} {_has(seat)} geklopft!" for seat in knockers]
    calls = [f"{_who(seat)} {said}." for seat, said, _ in _calls(deal)]
    kontras = [f"{_who(said.seat)} {_has(said.seat)} gestoßen!" for said in _doubles(deal)]
    ramsch = ["Ihr spielt an Ramsch."] if deal.game and deal.game.contract == "ramsch" else []
    return [
        f"Spiel #{int(deal.id or 0):,} beginnt.".replace(",", "."),
        *knocks,
        *calls,
        *ramsch,
        *kontras,
        _result(found),
    ]


def _who(seat: int) -> str:
    return PLAYERS[seat]


def _has(seat: int) -> str:
    return "hast" if seat == OWNER else "hat"


def _calls(deal: Deal) -> list[tuple[int, str, str]]:
    """Return seat, words, and how the record has them: everyone in turn, then who would play, then the game."""
    assert deal.dealer is not None
    declarer, turns = deal.game.declarer, [(deal.dealer + 1 + n) % 4 for n in range(4)]
    eager = {call.seat for call in deal.auction or () if call.call != "pass"}
    passing, wishing = ("sagst weiter", "dadst gern"), ("sagt weiter", "dad gern")
    told = []
    for seat in turns:
        weiter, gern = passing if seat == OWNER else wishing
        told.append((seat, gern, "play") if seat in eager else (seat, weiter, "pass"))
    if declarer is None:
        return told
    told += [(seat, "lässt den Vortritt", "good") for seat in turns if seat in eager - {declarer}]
    kind, suit = deal.game.contract, SUIT_NAMES.get(deal.game.suit or "", "")
    tout = "-Tout" if "tout" in deal.game.words else ""
    words = {"solo": f"a {suit}-Solo", "wenz": "an Wenz", "farbwenz": f"an {suit}-Farbwenz", "geier": "an Geier"}
    said = ACES[deal.game.suit or ""] if kind == "rufspiel" else words[kind] + tout
    call = " ".join(part for part in (kind, deal.game.suit, tout.strip("-").lower()) if part)
    return [*told, (declarer, f"{'spielst' if declarer == OWNER else 'spielt'} {said}", call)]


def _result(found: Judgement) -> str:
    """Return the last line, to the owner of the log."""
    deal, replay, settlement = found.deal, found.replay, found.settlement
    assert settlement
    amount = (deal.stated.payments or ())[OWNER]
    own = f"Du hast {abs(amount or 0)} P {'gewonnen' if (amount or 0) > 0 else 'verloren'}."
    if deal.game.contract == "ramsch":
        loser = settlement.loser
        assert loser is not None
        return f"{_who(loser)} {_has(loser)} den Ramsch verloren. Er hat {replay.points[loser]} Augen. {own}"
    names = {
        "rufspiel": "das Sauspiel",
        "solo": "das Solo",
        "wenz": "den Wenz",
        "farbwenz": "den Farbwenz",
        "geier": "den Geier",
    }
    declarer, partner = deal.game.declarer, replay.partner
    assert declarer is not None
    mate = "" if partner is None else f"mit {'dir' if partner == OWNER else _who(partner)} "
    whose = "Ihr habt" if OWNER in (declarer, partner) else "Sie haben"
    outcome = "gewonnen" if deal.stated.won else "verloren"
    what = f"{mate}{names[deal.game.contract]} {outcome}. {whose} {deal.stated.points} Augen. {own}"
    return f"{_who(declarer)} {_has(declarer)} {what}"
