"""Records damaged as a hand damages text: is every proposed repair the original record?

    python benchmarks/repair.py                     the recorded run, in benchmarks/results/repair.md
    python benchmarks/repair.py --records 100 --seed 7 --out -

Correct deals are generated under several rulesets, or are of the real games. Independent of `archive.explain`: a damage
works on the lines, names and words of a session file, and knows neither game nor rule; only records that then cannot be
played count. Each kind also has its own way back: every text from which the same kind of damage could have made this
one. "One repair exists" if exactly one of those that are judged to agree in every part, without a warning, is the
original record. Nothing else that the search tries counts: a repair that it withholds because another kind of change
fits as well counts against it. Besides: correct records, for which nothing may be proposed, and records damaged twice.
"""

import re
import time
from collections.abc import Callable, Iterator
from itertools import combinations, islice, pairwise, permutations
from random import Random
from typing import NamedTuple

from measured import Measured, arguments, kept, markdown, share
from msgspec.structs import replace
from support.real_games import FOLDER, played, settled

from archive.explain.repair import Repair, play_key, repair
from archive.generate import deal, session, stated_as_computed
from archive.judge import Judgement, judge
from archive.notation import read_toml, write_toml
from archive.notation.corrections import with_entries
from archive.record import Deal, Session, Source
from archive.settle.ledger import apply_carry, empty_ledger

CARD = re.compile(r"\b[EGHS][AZKOU9876]\b")
PEN = {"A": "Z", "Z": "7", "7": "Z", "K": "U", "U": "O", "O": "U", "9": "6", "6": "8", "8": "9"}  # read one for another
LISTS = ("hands", "tricks")
Text = tuple[str, ...]  # the lines of a deal
Make = Callable[[Random, Text], Text | None]
Back = Callable[[Text], Iterator[Text]]


class Damage(NamedTuple):
    """A kind of damage: a function that does it at random; and one that returns every text that it could have been made
    of."""

    make: Make
    back: Back


# --- the lines of a deal ----------------------------------------------------------------------------------------------


def block(lines: Text, key: str) -> range:
    """Return the lines of a list, as places; empty if the deal has no such list."""
    if f"{key} = [" not in lines:
        return range(0)
    first = lines.index(f"{key} = [") + 1
    return range(first, lines.index("]", first))


def cards_at(lines: Text, key: str | None = None) -> list[tuple[int, int, str]]:
    """Return every card of the lists of lines: line, column, code."""
    rows = [row for name in LISTS if key in (None, name) for row in block(lines, name)]
    return [(row, found.start(), found.group()) for row in rows for found in CARD.finditer(lines[row])]


def put(lines: Text, row: int, line: str) -> Text:
    return (*lines[:row], line, *lines[row + 1 :])


def card_put(lines: Text, row: int, column: int, card: str) -> Text:
    return put(lines, row, lines[row][:column] + card + lines[row][column + len(card) :])


def split(line: str) -> tuple[str, str]:
    """Return the text before the cards of a line, and its cards."""
    found = CARD.search(line)
    return (line, "") if found is None else (line[: found.start()], line[found.start() :].rstrip('",'))


def with_cards(line: str, cards: str) -> str:
    return split(line)[0] + cards + '",'


def names(lines: Text) -> tuple[str, ...]:
    """Return the players, as the lists name them."""
    found = [line.strip(' "').partition(":")[0] for key in LISTS for line in (lines[row] for row in block(lines, key))]
    return tuple(dict.fromkeys(name for name in found if name and " " not in name))


def pack_left(lines: Text, key: str, but: int) -> list[str]:
    """Return the cards of the pack, by the ranks that the deal shows, that are in no other line of a list (nor in the
    blind)."""
    every = {suit + card[1] for line in lines for card in CARD.findall(line) for suit in "EGHS"}
    own = {card for row in block(lines, key) if row != but for card in CARD.findall(lines[row])}
    blind = {card for line in lines if line.startswith("blind") for card in CARD.findall(line)}
    return sorted(every - own - (blind if key == "hands" else set()))


def choose(rng: Random, every: Iterator[Text] | list[Text]) -> Text | None:
    found = list(every)
    return rng.choice(found) if found else None


def symmetric(every: Back) -> Damage:
    """Return a damage that undoes itself when done twice."""
    return Damage(lambda rng, lines: choose(rng, every(lines)), every)


# --- cards ------------------------------------------------------------------------------------------------------------


def neighbours_exchanged(lines: Text) -> Iterator[Text]:
    """Return two neighbouring cards of a line, exchanged."""
    at = cards_at(lines, "tricks")
    for (row, column, card), (other_row, other, right) in pairwise(at):
        if row == other_row:
            yield card_put(card_put(lines, row, column, right), row, other, card)


def column_exchanged(lines: Text) -> Iterator[Text]:
    """Yield two cards, one below the other."""
    at = {(row, column): card for row, column, card in cards_at(lines)}
    for (row, column), card in at.items():
        below = at.get((row + 1, column))
        if below is not None and below != card:
            yield card_put(card_put(lines, row, column, below), row + 1, column, card)


def strayed(lines: Text) -> Iterator[Text]:
    """Yield a card of a hand, at the end of the line of another."""
    for row, _, card in cards_at(lines, "hands"):
        head, own = split(lines[row])
        rest = " ".join(each for each in own.split() if each != card)
        for other in block(lines, "hands"):
            if other != row:
                less = put(lines, row, head + rest + '",')
                yield put(less, other, with_cards(lines[other], f"{split(lines[other])[1]} {card}"))


def any_card(lines: Text, key: str) -> Iterator[Text]:
    """Yield every way in which one card of a list was another."""
    twice = [card for *_, card in cards_at(lines, key)]
    for row, column, card in cards_at(lines, key):
        if twice.count(card) > 1 or len(set(twice)) == len(twice):
            yield from (card_put(lines, row, column, other) for other in pack_left(lines, key, -1))


def misread(key: str, letters: Callable[[str], str | None]) -> Damage:
    def make(rng: Random, lines: Text) -> Text | None:
        ways = [(row, column, other) for row, column, card in cards_at(lines, key) if (other := letters(card))]
        row, column, other = rng.choice(ways) if ways else (0, 0, "")
        return card_put(lines, row, column, other) if other else None

    return Damage(make, lambda lines: any_card(lines, key))


def copied_from(step: Callable[[list[tuple[int, int, str]], int], str | None], key: str) -> Damage:
    """Return a card written again in place of another."""

    def make(rng: Random, lines: Text) -> Text | None:
        at = cards_at(lines, key)
        ways = [(at[place], source) for place in range(len(at)) if (source := step(at, place))]
        if not ways:
            return None
        (row, column, card), source = rng.choice(ways)
        return card_put(lines, row, column, source) if source != card else None

    return Damage(make, lambda lines: any_card(lines, key))


def left_of(at: list[tuple[int, int, str]], place: int) -> str | None:
    return at[place - 1][2] if place and at[place - 1][0] == at[place][0] else None


def above(at: list[tuple[int, int, str]], place: int) -> str | None:
    row, column, _ = at[place]
    return next((card for other, there, card in at if (other, there) == (row - 1, column)), None)


def swallowed(key: str) -> Damage:
    """Yield a card that was not written."""

    def make(rng: Random, lines: Text) -> Text | None:
        row, _, card = rng.choice(cards_at(lines, key))
        return put(lines, row, with_cards(lines[row], " ".join(c for c in split(lines[row])[1].split() if c != card)))

    def back(lines: Text) -> Iterator[Text]:
        longest = max((len(split(lines[row])[1].split()) for row in block(lines, key)), default=0)
        for row in block(lines, key):
            own = split(lines[row])[1].split()
            for card in pack_left(lines, key, -1) if len(own) < longest else ():
                for place in range(len(own) + 1) if key == "tricks" else (len(own),):
                    yield put(lines, row, with_cards(lines[row], " ".join((*own[:place], card, *own[place:]))))

    return Damage(make, back)


def stuttered(key: str) -> Damage:
    """Yield a card written twice running."""

    def make(rng: Random, lines: Text) -> Text | None:
        row, column, card = rng.choice(cards_at(lines, key))
        return put(lines, row, lines[row][:column] + f"{card} " + lines[row][column:])

    def back(lines: Text) -> Iterator[Text]:
        for row in block(lines, key):
            own = split(lines[row])[1].split()
            for place in range(len(own) - 1):
                if own[place] == own[place + 1]:
                    yield put(lines, row, with_cards(lines[row], " ".join((*own[:place], *own[place + 1 :]))))

    return Damage(make, back)


def turned(lines: Text) -> Iterator[Text]:
    """Yield a trick written from another card on."""
    for row in block(lines, "tricks"):
        own = split(lines[row])[1].split()
        for by in range(1, len(own)):
            yield put(lines, row, with_cards(lines[row], " ".join((*own[by:], *own[:by]))))


# --- lines ------------------------------------------------------------------------------------------------------------


def line_over_the_next(key: str) -> Damage:
    """Yield a line copied over the one below, with its name or without."""

    def make(rng: Random, lines: Text) -> Text | None:
        rows = list(block(lines, key))[:-1]
        if not rows:
            return None
        row = rng.choice(rows)
        cards = split(lines[row])[1]
        whole = key == "tricks" and rng.random() < 0.5
        return put(lines, row + 1, lines[row] if whole else with_cards(lines[row + 1], cards))

    def back(lines: Text) -> Iterator[Text]:
        for row in block(lines, key):
            above_it = row - 1 in block(lines, key) and split(lines[row - 1])[1] == split(lines[row])[1]
            left = pack_left(lines, key, row) if above_it else []
            if len(left) != len(split(lines[row])[1].split()):
                continue
            orders = permutations(left) if key == "tricks" else iter((tuple(left),))
            for cards in orders:
                line = with_cards(lines[row], " ".join(cards))
                yield put(lines, row, line)
                if key == "tricks":  # the name may have been overwritten as well
                    yield put(lines, row, '    "' + split(line)[1] + '",')

    return Damage(make, back)


def line_twice(lines: Text) -> Iterator[Text]:
    rows = block(lines, "tricks")
    for row in rows:
        if row + 1 in rows and lines[row] == lines[row + 1]:
            yield (*lines[:row], *lines[row + 1 :])


def one_line_twice(rng: Random, lines: Text) -> Text | None:
    row = rng.choice(block(lines, "tricks"))
    return (*lines[:row], lines[row], *lines[row:])


def one_line_lost(rng: Random, lines: Text) -> Text | None:
    row = rng.choice(block(lines, "tricks"))
    return (*lines[:row], *lines[row + 1 :])


def line_lost(lines: Text) -> Iterator[Text]:
    rows, left = block(lines, "tricks"), pack_left(lines, "tricks", -1)
    size = len(split(lines[rows[0]])[1].split()) if rows else 0
    for row in range(rows[0], rows[-1] + 2) if len(left) == size else ():
        for cards in permutations(left):
            yield (*lines[:row], '    "' + " ".join(cards) + '",', *lines[row:])


def lines_exchanged(key: str, near: bool) -> Back:
    """Yield the cards of two lines, in each other's place; of tricks the whole lines."""

    def every(lines: Text) -> Iterator[Text]:
        for one, other in combinations(block(lines, key), 2):
            if not near or other == one + 1:
                if key == "tricks":
                    yield put(put(lines, one, lines[other]), other, lines[one])
                else:
                    here, there = split(lines[one])[1], split(lines[other])[1]
                    yield put(put(lines, one, with_cards(lines[one], there)), other, with_cards(lines[other], here))

    return every


def hands_shifted(lines: Text) -> Iterator[Text]:
    """Yield all hands, each in the line of another player, in their order."""
    rows = list(block(lines, "hands"))
    cards = [split(lines[row])[1] for row in rows]
    for by in range(1, len(rows)):
        now = lines
        for place, row in enumerate(rows):
            now = put(now, row, with_cards(lines[row], cards[(place + by) % len(rows)]))
        yield now


# --- names and words --------------------------------------------------------------------------------------------------


def other_name(prefix: str) -> Back:
    """Yield another name in an entry that begins so, or in one line of a list."""

    def every(lines: Text) -> Iterator[Text]:
        rows = [row for row, line in enumerate(lines) if line.startswith(prefix)] + list(block(lines, prefix))
        for row in rows:
            for name in names(lines):
                for other in names(lines):
                    if name != other and re.search(rf"\b{name}\b", lines[row]):
                        yield put(lines, row, re.sub(rf"\b{name}\b", other, lines[row], count=1))

    return every


def other_word(lines: Text) -> Iterator[Text]:
    """Yield another word in the entry of the game: a contract for a contract, a suit for a suit."""
    row = next((row for row, line in enumerate(lines) if line.startswith("game = ")), None)
    if row is not None:
        yield from (put(lines, row, line) for line in other_games(lines[row]))


def other_games(line: str) -> Iterator[str]:
    words = line.removeprefix('game = "').rstrip('"').split()
    suits = [place for place, word in enumerate(words) if word in ("E", "G", "H", "S")]
    for place in suits:
        for suit in "EGHS":
            if suit != words[place]:
                yield 'game = "' + " ".join((*words[:place], suit, *words[place + 1 :])) + '"'


def game_of_another_deal(rng: Random, lines: Text) -> Text | None:
    """Return the entry of the game as it stands in the deal before: another player, another game."""
    row = next((row for row, line in enumerate(lines) if line.startswith("game = ")), None)
    if row is None or not names(lines):
        return None
    game = rng.choice(("wenz", "solo E", "solo G", "solo H", "solo S", "rufspiel E", "rufspiel G", "rufspiel S"))
    return put(lines, row, f'game = "{rng.choice(names(lines))} {game}"')


def every_game(lines: Text) -> Iterator[Text]:
    row = next((row for row, line in enumerate(lines) if line.startswith("game = ")), None)
    suited = (f"{word} {suit}" for word in ("rufspiel", "solo", "farbwenz", "farbgeier", "simple") for suit in "EGHS")
    words = ("wenz", "geier", "bettel", "sie", "bierkopf", "ramsch", *suited)
    every = [f"{name} {word}{more}".strip() for name in (*names(lines), "") for word in words for more in ("", " tout")]
    yield from (put(lines, row, f'game = "{each}"') for each in every if row is not None)


DAMAGES: dict[str, Damage] = {
    "two neighbouring cards of a line exchanged": symmetric(neighbours_exchanged),
    "two cards, one below the other, exchanged": symmetric(column_exchanged),
    "a card at the end of another hand": Damage(lambda rng, lines: choose(rng, strayed(lines)), strayed),
    "a rank read as one that looks like it, in a trick": misread("tricks", lambda card: card[0] + PEN[card[1]]),
    "a rank read as one that looks like it, in a hand": misread("hands", lambda card: card[0] + PEN[card[1]]),
    "a suit read as the next, in a trick": misread("tricks", lambda card: "EGHS"["GHSE".index(card[0])] + card[1]),
    "a suit read as the next, in a hand": misread("hands", lambda card: "EGHS"["GHSE".index(card[0])] + card[1]),
    "the card to the left written again, in a trick": copied_from(left_of, "tricks"),
    "the card to the left written again, in a hand": copied_from(left_of, "hands"),
    "the card above written again, in a trick": copied_from(above, "tricks"),
    "the card above written again, in a hand": copied_from(above, "hands"),
    "a card of a hand not written": swallowed("hands"),
    "a card of a trick not written": swallowed("tricks"),
    "a card of a hand written twice": stuttered("hands"),
    "a card of a trick written twice": stuttered("tricks"),
    "a trick from another card on": symmetric(turned),
    "a hand over the next": line_over_the_next("hands"),
    "a trick over the next": line_over_the_next("tricks"),
    "a trick written twice": Damage(one_line_twice, line_twice),
    "a trick not written": Damage(one_line_lost, line_lost),
    "two neighbouring tricks exchanged": symmetric(lines_exchanged("tricks", near=True)),
    "two tricks exchanged": symmetric(lines_exchanged("tricks", near=False)),
    "two hands exchanged": symmetric(lines_exchanged("hands", near=False)),
    "all hands under another name": symmetric(hands_shifted),
    "another leader of a trick": symmetric(other_name("tricks")),
    "another declarer": symmetric(other_name("game = ")),
    "another dealer": symmetric(other_name("dealer = ")),
    "another name at a doubling": symmetric(other_name("doubles = ")),
    "another name at an exchange": symmetric(other_name("exchange = ")),
    "another suit of the game": symmetric(other_word),
    "the game of another deal": Damage(game_of_another_deal, every_game),
}


# --- the records ------------------------------------------------------------------------------------------------------


RULES = ("bavarian", "pub", "langendorf", "short", "three-player-blind", "palatinate", "bauernstoss", "bierkopf")
STATED = ((), ("payments",), ("points", "payments"))
REAL = 0.25  # share of the records that are of the real games


class Case(NamedTuple):
    """A correct record, and the same damaged; `halves`: of one damaged twice, the texts with one damage each."""

    kind: str
    real: bool
    stated: str
    right: Judgement
    wrong: Judgement
    text: Text  # of the damaged deal
    halves: tuple[Text, ...] = ()


class Outcome(NamedTuple):
    case: Case
    repair: Repair
    exists: int  # repairs of its own kind that are legal and agree
    right: bool
    half: bool  # or, of two damages, the proposal undoes one
    seconds: float


def correct(rng: Random) -> Iterator[tuple[bool, str, Judgement]]:
    """Yield correct records without end, complete, with what each states."""
    games = [*played(), *settled()] if FOLDER.is_dir() else []
    real = [judged for head, record in games if (judged := judge_first(head, record)).verdict == "agrees"]
    while True:
        stated, is_real = rng.choice(STATED), bool(real) and rng.random() < REAL
        head = session(rng.choice(RULES))
        judged = rng.choice(real) if is_real else judge_first(head, deal(rng, head))
        if judged.verdict == "agrees" and judged.deal.tricks:
            told = stated_as_computed(judged, stated) if stated else None
            record = replace(judged.deal, stated=told, source=None)
            yield is_real, " and ".join(stated) or "nothing", judge_first(judged.session, record)


def judge_first(head: Session, record: Deal) -> Judgement:
    """Judge a deal that is the first of its evening."""
    return judge(head, record, 1, apply_carry(empty_ledger(len(head.players)), record.carry, len(head.players)))


def read(head: Text, lines: Text) -> Judgement | None:
    """Return the judgement of a deal as its lines have it; None if the format refuses them."""
    try:
        found = list(read_toml("\n".join((*head, *lines)).encode(), Source("damaged")))
    except ValueError:
        return None
    match found:
        case [Session() as top, Deal() as record]:
            return judge_first(top, record)
    return None


def damaged(rng: Random, twice: bool = False) -> Iterator[Case]:
    """Yield records damaged once, or twice, without end, that cannot be played; the kinds in turn."""
    kinds, turn = list(DAMAGES), 0
    for real, stated, right in correct(rng):
        head, lines = text_of(right)
        whole = read(head, lines)
        if whole is None or whole.verdict != "agrees":
            continue
        for _ in kinds:
            kind, turn = kinds[turn % len(kinds)], turn + 1
            made, halves = DAMAGES[kind].make(rng, lines), tuple[Text, ...]()
            if made and twice:
                second, state = DAMAGES[rng.choice(kinds)], rng.getstate()
                both = second.make(rng, made)
                rng.setstate(state)
                halves = (made, *filter(None, (second.make(rng, lines),)))
                made = None if both in halves else both
            wrong = read(head, made) if made and made != lines else None
            if made and wrong is not None and wrong.verdict == "unplayable":
                yield Case(kind, real, stated, whole, wrong, made, halves)
                break


def text_of(judged: Judgement) -> tuple[Text, Text]:
    """Return the head of a session file, and the lines of its deal."""
    lines = write_toml(judged.session, [judged.deal]).splitlines()
    first = lines.index("[[deal]]")
    return tuple(lines[:first]), tuple(lines[first:])


def outcome(case: Case) -> Outcome:
    """Return the proposed repair, and whether the correction makes the record it was."""
    wrong, start = case.wrong, time.process_time()
    repaired = repair(wrong.session, wrong.deal, 1, wrong.before)
    seconds = time.process_time() - start
    now = None
    if repaired.proposal:
        mended = with_entries(wrong.session, wrong.deal, repaired.proposal.set)
        now = play_key(judge(wrong.session, mended, 1, wrong.before))
    head, _ = text_of(case.right)
    halves = [play_key(each) for lines in case.halves if (each := read(head, lines)) and each.replay]
    exists = 0 if case.halves else ways_back(case)
    return Outcome(case, repaired, exists, now == play_key(case.right), now is not None and now in halves, seconds)


def ways_back(case: Case) -> int:
    """Return how many records, distinguished by cards and game, the damage could have been made of: those that agree
    and add no finding to those of the damaged one."""
    head, _ = text_of(case.right)
    own = {each.rule for each in case.right.findings}
    keys = set()
    for lines in dict.fromkeys(DAMAGES[case.kind].back(case.text)):
        found = read(head, lines) if whole_pack(lines) else None
        if found and found.verdict == "agrees" and {each.rule for each in found.findings} <= own:
            keys.add(play_key(found))
    return len(keys)


def whole_pack(lines: Text) -> bool:
    """Return whether no card appears twice in a list: checked first, since reading and judging takes long."""
    return all(len(set(own)) == len(own) for key in LISTS if (own := [card for *_, card in cards_at(lines, key)]))


# --- the report -------------------------------------------------------------------------------------------------------


COUNTS = "records | proposed | of them wrong | one repair exists | of these repaired | how often"
COLUMNS: dict[str, Callable[[Outcome], str]] = {
    "damage": lambda one: one.case.kind,
    "stated": lambda one: one.case.stated,
    "deals": lambda one: "real" if one.case.real else "generated",
    "rules": lambda one: one.case.right.session.rules,
}


def counts(own: list[Outcome]) -> tuple[int, int, int, int, int, str]:
    proposed = [one for one in own if one.repair.proposal]
    single = [one for one in own if one.exists == 1]
    right = sum(one.right for one in single)
    wrong = sum(not one.right for one in proposed)
    return len(own), len(proposed), wrong, len(single), right, share(right, len(single)) if single else "–"


def tables(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield a table for each of the columns: a row for each value that it gives, and one for all."""
    for head, value_of in COLUMNS.items():
        values = sorted(set(map(value_of, outcomes)))
        by_value = {value: [one for one in outcomes if value_of(one) == value] for value in values}
        rows = ((value, *counts(own)) for value, own in (by_value | {"**all**": outcomes}).items())
        yield markdown(f"{head} | {COUNTS}", rows)


def report(records: int, seed: int) -> Iterator[str]:
    every = [outcome(case) for case in islice(damaged(Random(seed)), records)]
    two = [outcome(case) for case in islice(damaged(Random(seed + 1), twice=True), records // 2)]
    unharmed = [right for _, _, right in islice(correct(Random(seed + 2)), records)]
    unasked = sum(bool(repair(right.session, right.deal, 1, right.before).fits) for right in unharmed)
    times = Measured(tuple(one.seconds for one in every))
    _, proposed, wrong, single, right, often = counts(every)
    real = sum(one.case.real for one in every)
    of_two = [one for one in two if one.repair.proposal]
    undone = sum(one.half or one.right for one in of_two)
    yield f"{records - real} generated deals, {real} of the real games.\n"
    yield f"- Proposed: {proposed}. Wrong: {wrong}."
    yield f"- Where exactly one repair of the same kind exists ({single}), it is proposed {right} times ({often})."
    yield f"- Correct records: {len(unharmed)}. Something is proposed for {unasked}."
    yield f"- Records damaged twice: {len(two)}. No single change gives the record that was; where one makes all of it"
    yield f"  legal, it is proposed: {len(of_two)} times. {undone} of these undo one of the two damages, and the other"
    yield "  breaks no rule."
    yield f"- Time of one core: {times.p50:.2f} s in the middle, {times.most:.2f} s at most.\n"
    yield "A repair is withheld where a change of another kind fits as well: the record does not say which it was.\n"
    yield from tables(every)
    for one in every:
        if one.repair.proposal and not one.right:
            yield f"\nWrong: {one.case.kind}: {one.repair.proposal.message} {one.repair.proposal.set}"


def main() -> None:
    given = arguments(__doc__, "repair", runs=0, records=1000, seed=1).parse_args()
    kept(given.out, "Repairs of records that are damaged as text is", __file__, (), report(given.records, given.seed))


if __name__ == "__main__":
    main()
