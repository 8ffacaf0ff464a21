"""Deals before they are stored, as they were understood: for the terminal and for the page that shows a file."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from archive.notation.game_words import NO_GAME
from archive.record import Deal, Session, Stated, evidence_text
from archive.say import make_sayer
from archive.text.deal import amounts_text
from archive.text.deal_row import title_of_contract_id

preview_text = make_sayer("cli.preview-")


class DealPreview(Struct, frozen=True):
    """A deal as understood: its line in the file, the game, who plays with whom, what is stated, what is paid or the
    totals, and what was worked out."""

    line: int
    title: str
    who: str
    facts: tuple[str, ...]
    paid: str
    worked_out: tuple[str, ...]


def role_text(role: str, language: str) -> str:
    """Return the role of a column in words, with its key in a `columns.toml`: `Mitspieler (partner)`."""
    kind, _, rest = role.partition(" ")
    words = preview_text(f"role-{kind.replace('_', '-')}" if kind else "unknown", language)
    shown = f"{words} {rest}".strip()
    return shown if not kind or kind in ("payments", "totals", "skip") or words == kind else f"{shown} ({kind})"


def read_sums(session: Session, deals: Iterable[Deal]) -> dict[str, int]:
    """Return what was read for each player of an evening: payments added up, or the totals that were stated last. Where
    a substitute plays for the seat it is that of whom the head names."""
    sums, by_seat = dict.fromkeys(session.players, 0), (session.house or {}).get("substitute") == "seat"
    for deal in deals:
        stated, here = deal.stated or Stated(), session.players if by_seat else deal.players or session.players
        adds = stated.payments is not None or stated.totals is None
        for name, amount in zip(here, (stated.payments if adds else stated.totals) or (), strict=False):
            sums[name] = (amount or 0) + (sums.get(name, 0) if adds else 0)
    return sums


def deal_preview(deal: Deal, session: Session, language: str) -> DealPreview:
    """Return a deal as it was understood."""
    players = deal.players or session.players
    game, stated = deal.game, deal.stated
    who = [players[seat] for seat in (game.declarer if game else None, deal.partner) if seat is not None]
    title = ""
    if game and game.contract in NO_GAME:
        title = preview_text(f"{game.contract}", language)
    elif game:
        title = " ".join(filter(None, (title_of_contract_id(game.contract, language=language), game.suit, *game.words)))
    paid = amounts_text(players, stated.payments) if stated and stated.payments else ""
    if stated and stated.totals and not stated.payments:
        paid = preview_text("totals", language, totals=amounts_text(players, stated.totals))
    return DealPreview(
        line=(deal.source.line or 0) if deal.source else 0,
        title=title,
        who=" + ".join(who),
        facts=tuple(_facts(deal, players, language)),
        paid=paid,
        worked_out=tuple(evidence_text(entry, language) for entry in deal.inferred or ()),
    )


def deal_line(deal: Deal, session: Session, language: str) -> str:
    """Return a deal on one line: game, who plays with whom, what is stated, payments, what was worked out."""
    row = deal_preview(deal, session, language)
    return f"  {row.line:>4} " + "; ".join(filter(None, (row.title, row.who, *row.facts, row.paid, *row.worked_out)))


def _facts(deal: Deal, players: tuple[str, ...], language: str) -> Iterator[str]:
    """Yield the facts of a deal besides its game, players and payments, in words."""
    stated = deal.stated or Stated()
    for key, yes, no in (("won", "won", "lost"), *((key, key, f"no-{key}") for key in ("schneider", "schwarz"))):
        if (value := getattr(stated, key)) is not None:
            yield preview_text(f"{yes if value else no}", language)
    if stated.runners:
        yield preview_text("with" if stated.runners > 0 else "without", language, n=abs(stated.runners))
    for key in ("points", "points_against", "runner_count", "price"):
        if (value := getattr(stated, key)) is not None:
            yield preview_text(f"{key.replace('_', '-')}", language, n=value)
    for key, value in (("knocks", deal.knocks), ("doubles", deal.doubles)):
        if value:
            yield preview_text(f"{key}", language, n=len(value) if isinstance(value, tuple) else value)
    if deal.round:
        yield preview_text("round", language, rounds=", ".join(map(str.capitalize, deal.round)))
    if stated.loser is not None:
        yield preview_text("loser", language, player=players[stated.loser])
    if deal.sits_out:
        yield preview_text("sits-out", language, players=", ".join(players[seat] for seat in deal.sits_out))
