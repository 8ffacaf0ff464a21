"""Archives of deals dealt at random, or almost: thrown in, so that nobody chose them, with all cards recorded.

head = evening("a.toml", recorder="Anna")
save(path, {"a.toml": (head, shuffled(Random(1), 400))})
save(path, {"a.toml": (head, shuffled(Random(1), 400, bend=extra_lord("Ben", every=10)))})
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random

from archive.cards import PACKS, codes
from archive.judge import judge_session
from archive.record import Deal, Game, Session
from archive.store import FileMeta, open_archive, save_file

NAMES = ("Anna", "Ben", "Cem", "Dora")
PACK = codes(PACKS[32])
LORDS = frozenset(code for code in PACK if code[1] in "OU")

Hands = list[list[str]]  # in the order of the seats
Bend = Callable[[Random, int, int, Hands], None]  # of the deal with that number, by the dealer at that seat


def evening(event: str, recorder: str | None = None, names: tuple[str, ...] = NAMES) -> Session:
    return Session(players=names, rules="pub", event=event, recorder=recorder)


def dealt(rng: Random, count: int, bend: Bend | None = None) -> Iterator[tuple[int, Hands]]:
    """Yield the hands of dealer after dealer, each of whom shuffles and deals out the pack."""
    pack = list(PACK)
    for number in range(count):
        rng.shuffle(pack)
        hands = [pack[at : at + 8] for at in range(0, 32, 8)]
        if bend:
            bend(rng, number, number % 4, hands)
        yield number % 4, hands


def shuffled(rng: Random, count: int, bend: Bend | None = None) -> list[Deal]:
    return [
        Deal(dealer=dealer, hands=tuple(tuple(hand) for hand in hands), game=Game(contract="none"))
        for dealer, hands in dealt(rng, count, bend)
    ]


def extra_lord(seat: int, every: int) -> Bend:
    """Return a dealer at a seat who swaps a plain card of the own hand for a lord of another's, in every n-th deal."""

    def bend(rng: Random, number: int, dealer: int, hands: Hands) -> None:
        if dealer == seat and (number // 4) % every == 0:
            swap(rng, hands, dealer, lambda card: card not in LORDS, lambda card: card in LORDS)

    return bend


def never_to(seat: int, card: str) -> Bend:
    """Return a dealer who never gives a card to a seat."""

    def bend(rng: Random, number: int, dealer: int, hands: Hands) -> None:
        if card in hands[seat]:
            swap(rng, hands, seat, lambda each: each == card, lambda each: True)

    return bend


def unshuffled(share: float) -> Bend:
    """Return a dealer who gathers the tricks and hardly shuffles: in such a share of the deals two cards of one suit
    come to lie together that did not."""

    def bend(rng: Random, number: int, dealer: int, hands: Hands) -> None:
        if rng.random() < share:
            seat, suit = rng.randrange(4), rng.choice("EGS")
            swap(rng, hands, seat, lambda card: card in LORDS or card[0] != suit,
                 lambda card: card not in LORDS and card[0] == suit)  # fmt: skip

    return bend


def swap(rng: Random, hands: Hands, seat: int, away: Callable[[str], bool], home: Callable[[str], bool]) -> None:
    """Swap a card of a hand for one of another, if there are such."""
    mine = [card for card in hands[seat] if away(card)]
    theirs = [(other, card) for other in range(4) if other != seat for card in hands[other] if home(card)]
    if mine and theirs:
        card, (other, taken) = rng.choice(mine), rng.choice(theirs)
        hands[seat][hands[seat].index(card)] = taken
        hands[other][hands[other].index(taken)] = card


def save(path: Path, files: Mapping[str, tuple[Session, Iterable[Deal]]]) -> Path:
    """Save files as an archive, or add them to one."""
    db = open_archive(path)
    for name, (head, deals) in files.items():
        judged = judge_session(head, list(deals))
        save_file(db, FileMeta(name, "record"), name.encode(), ((head, each) for each in judged))
    db.conn.close()
    return path
