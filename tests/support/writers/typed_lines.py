"""Our deals as lines of words, as somebody types them after each deal."""

from msgspec.structs import replace

from archive.record import Deal, Double, Session, Stated

SUITS = {"E": "Eichel", "G": "Gras", "H": "Herz", "S": "Schellen"}
STATED = ("points", "runners", "schneider", "schwarz", "price", "payments", "won")


def line(head: Session, deal: Deal) -> str:
    """Return the line of a deal."""
    names, game, stated = head.players, deal.game, deal.stated
    parts = [] if game.declarer is None else [names[game.declarer]]
    parts += [game.contract, SUITS.get(game.suit or "", ""), "tout" if "tout" in game.words else ""]
    words = [" ".join(part for part in parts if part)]
    if deal.dealer is not None:
        words.append(f"Geber {names[deal.dealer]}")
    if game.declarer is not None:
        words.append("gewonnen" if stated.won else "verloren")
        words += [f"{stated.points} Augen"] if isinstance(stated.points, int) else []
        words += [
            name if flag else f"kein {name}"
            for name, flag in (("Schneider", stated.schneider), ("Schwarz", stated.schwarz))
            if flag is not None
        ]
        runners = stated.runners
        words += [f"{'ohne' if runners < 0 else 'mit'} {abs(runners)} Laufenden"] if runners else []
    if isinstance(deal.knocks, tuple) and deal.knocks:
        words.append("Klopfer " + " und ".join(names[seat] for seat in deal.knocks))
    words += [f"{each.word.capitalize()} {names[each.seat]}" for each in deal.doubles or () if isinstance(each, Double)]
    payments = [f"{name} {amount:+}" for name, amount in zip(names, stated.payments or (), strict=True)]
    return ", ".join((*words, f"{stated.price} Cent" if stated.price is not None else "", *payments)).replace(
        ", ,", ","
    )


def write(head: Session, deals: tuple[Deal, ...]) -> list[bytes]:
    """Return one file: the players, the rules, the tariff and the day, then a line a deal."""
    house = head.house or {}
    top = [
        f"Spieler: {', '.join(head.players)}",
        f"Regeln: {head.rules}",
        f"Tarif: {house['tariff']}",
        f"Datum: {head.date}",
    ]
    return ["\n".join((*top, "", *(line(head, deal) for deal in deals))).encode()]


def held(head: Session, deal: Deal) -> tuple[Session, Deal]:
    """Return the declarer and game, how it ended, and the payments; no cards."""
    session = Session(
        players=head.players, rules=head.rules, house={"tariff": (head.house or {})["tariff"]}, date=head.date
    )
    stated = deal.stated or Stated()
    alone = deal.game is not None and deal.game.declarer is None
    facts = {key: getattr(stated, key) for key in (("price", "payments") if alone else STATED)}
    facts |= {"runners": facts.get("runners") or None}
    game = deal.game and replace(deal.game, called=deal.game.called or None)
    said = tuple(Double(each.seat, each.word) for each in deal.doubles or () if isinstance(each, Double))
    knocks, doubles = deal.knocks or None, said or None
    return session, Deal(game=game, dealer=deal.dealer, knocks=knocks, doubles=doubles, stated=Stated(**facts))
