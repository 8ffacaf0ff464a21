"""Rulings in words."""

from archive.record import Ruling
from archive.say import isolate, message, say
from archive.text.numbers import format_signed


def ruling_words(row: Ruling, players: tuple[str, ...], language: str) -> str:
    """The decision of a ruling: who is paid what, or of another kind its words with its amounts. Of penalties only the
    players that have one."""
    rows = zip(players, row.payments, strict=False)
    shown = [(name, amount) for name, amount in rows if amount or row.kind != "penalty"]
    amounts = ", ".join(f"{isolate(name)} {format_signed(amount)}" for name, amount in shown)
    return say(message(f"ruling.{row.kind or 'payments'}", amounts=amounts), language)
