"""Canonical lines read from their bytes, in the fixed form that they have. Meant to be compiled.

A line is taken only where its keys stand in their order and its values are written as they would be written again;
whatever else there is (escapes, numbers of more than fifteen digits) is read elsewhere. Strings with bytes that are not
ASCII are taken as they are: whether they are UTF-8 is asked of the whole text.
"""

from collections.abc import MutableSequence, Sequence
from typing import Any

from archive.play.core import partner_of
from archive.settle.columns import A_HANDS, A_TRICKS, A_WINNER, A_WINNERS, MOST_TRICKS

TEXT, NUMBER, COUNT, FLAG, TEXTS, NUMBERS, TABLE, OTHER = range(8)  # kinds of values
QUOTE, BACKSLASH, COMMA, MINUS, BLANK, AT, ZERO, NINE, TRUE, FALSE = b'"\\,- @09tf'
LIST, LIST_END, TABLE_END = b"[]}"
DIGITS = 15
NAME, SPEAKER, LEADER = range(3)  # how a player is written: alone, before words, before cards
FIELD = 16  # with its place: a byte before what was said under a key; 1 and so on stand for the players
FITS_ALWAYS, FITS_WITH_PARTNER, FITS_WITH_HANDS = range(3)  # what it depends on whether the house allows what was said


# --- where values stand ---------------------------------------------------------------------------------------------


def find_fields(
    text: Sequence[int], starts: Sequence[int], stops: Sequence[int], keys: Sequence[int], key_at: Sequence[int],
    kinds: Sequence[int], inner: int, outer: int, spans: Any, taken: MutableSequence[int],
) -> None:  # fmt: skip
    """Where in each line, from its start to its stop, the value of each key begins and ends (0, 0: it has none), and
    whether it is taken. Key f with what follows it is `keys[key_at[f] : key_at[f + 1]]`; those from `inner` to before
    `outer` stand in the table under the key before them. A line that starts before 0 is passed over."""
    for row in range(len(starts)):
        if starts[row] >= 0:
            end = fields_end(text, starts[row], keys, key_at, kinds, inner, outer, spans[row])
            taken[row] = int(end == stops[row])


def fields_end(
    text: Sequence[int], at: int, keys: Sequence[int], key_at: Sequence[int], kinds: Sequence[int], inner: int,
    outer: int, spans: Any,
) -> int:  # fmt: skip
    """Where the keys from a place on end, with the bracket that closes them; -1 where they are not canonical."""
    field, inside = 0, False
    while True:
        while not stands(text, at, keys, key_at[field], key_at[field + 1]):
            field = outer if field + 1 == inner else field + 1
            if field == (outer if inside else len(kinds)):
                return -1
        at += key_at[field + 1] - key_at[field]
        if kinds[field] == TABLE:
            inside = text[at] != TABLE_END
            at += int(not inside)
            field = inner if inside else outer
            if inside:
                continue
        else:
            end = value_end(text, at, kinds[field])
            if end < 0:
                return -1
            spans[field, 0], spans[field, 1] = at, end
            at, field = end, field + 1
        if inside and text[at] == TABLE_END:
            at, field, inside = at + 1, outer, False
        if text[at] == TABLE_END:
            return at + 1
        if text[at] != COMMA or field == (outer if inside else len(kinds)):
            return -1
        at += 1


def stands(text: Sequence[int], at: int, words: Sequence[int], first: int, last: int) -> bool:
    """Whether some bytes stand there."""
    while first < last and text[at] == words[first]:
        at, first = at + 1, first + 1
    return first == last


def value_end(text: Sequence[int], at: int, kind: int) -> int:
    """Where a value ends, -1 where it is not canonical."""
    if kind == TEXT:
        return string_end(text, at)
    if kind in (NUMBER, COUNT):
        return number_end(text, at, kind == COUNT)
    if kind == FLAG:
        return flag_end(text, at)
    if kind == OTHER or text[at] != LIST:
        return -1
    at += 1
    if text[at] == LIST_END:
        return at + 1
    while True:
        at = string_end(text, at) if kind == TEXTS else number_end(text, at, False)
        if at < 0 or text[at] == LIST_END:
            return at + 1 if at >= 0 else -1
        if text[at] != COMMA:
            return -1
        at += 1


def string_end(text: Sequence[int], at: int) -> int:
    if text[at] != QUOTE:
        return -1
    at += 1
    while text[at] != QUOTE:
        if text[at] < BLANK or text[at] == BACKSLASH:
            return -1
        at += 1
    return at + 1


def number_end(text: Sequence[int], at: int, positive: bool) -> int:
    first = at
    if text[at] == MINUS:
        if positive or text[at + 1] == ZERO:
            return -1
        at = first = at + 1
    while ZERO <= text[at] <= NINE:
        at += 1
    size = at - first
    return -1 if size == 0 or size > DIGITS or (size > 1 and text[first] == ZERO) else at


def flag_end(text: Sequence[int], at: int) -> int:
    if text[at] == TRUE and text[at + 1] == 114 and text[at + 2] == 117 and text[at + 3] == 101:
        return at + 4
    if text[at] == FALSE and text[at + 1] == 97 and text[at + 2] == 108 and text[at + 3] == 115:
        return at + 5 if text[at + 4] == 101 else -1
    return -1


def number_at(text: Sequence[int], at: int) -> int:
    """The number that begins there."""
    minus, found = text[at] == MINUS, 0
    at += int(minus)
    while ZERO <= text[at] <= NINE:
        found = found * 10 + (text[at] - ZERO)
        at += 1
    return -found if minus else found


def numbers_of(text: Sequence[int], spans: Any, field: int, taken: Sequence[int], found: MutableSequence[int]) -> None:
    """The number under a key, where there is one."""
    for row in range(len(taken)):
        if taken[row] and spans[row, field, 1]:
            found[row] = number_at(text, spans[row, field, 0])


def seat_at(text: Sequence[int], at: int, people: Sequence[int], places: Sequence[int], seats: int) -> int:
    """The seat of the player who is written there, -1 where nobody is. Player s is `people[places[s] : places[s + 1]]`,
    with what stands after a name."""
    for seat in range(seats):
        if stands(text, at, people, places[seat], places[seat + 1]):
            return seat
    return -1


# --- what was said --------------------------------------------------------------------------------------------------


def hear(
    text: Sequence[int], spans: Any, fields: Sequence[int], ways: Sequence[int], head: Sequence[int],
    tables: Any, people: Sequence[int], places: Any, taken: Sequence[int], room: MutableSequence[int],
    kept: MutableSequence[int], kept_at: MutableSequence[int], slots: MutableSequence[int], count: int,
    ids: MutableSequence[int], rows: MutableSequence[int],
) -> int:  # fmt: skip
    """The number of what is said in each row, names apart: players are written as seats, and what is the same then has
    the same number, under the same rules. `fields` are the keys under which something is said, `ways` how players are
    written there; `tables` has of each head its seats and the number of its rules.

    Text n is `kept[kept_at[n] : kept_at[n + 1]]`, and `slots` are where they are looked for; `count` of them are known
    before. `rows` are the first rows that say what is new; how many are known then.
    """
    before = count
    for row in range(len(taken)):
        if not taken[row]:
            continue
        of = head[row]
        room[0], room[1], size = tables[of, 1] & 255, tables[of, 1] >> 8, 2
        for place in range(len(fields)):
            first, end = spans[row, fields[place], 0], spans[row, fields[place], 1]
            if end:
                room[size] = FIELD + place
                size = heard(text, first, end, people, places[of, ways[place]], tables[of, 0], room, size + 1)
        slot = slot_for(room, 0, size, kept, kept_at, slots)
        if slots[slot] == 0:
            first = kept_at[count]
            for place in range(size):
                kept[first + place] = room[place]
            kept_at[count + 1] = first + size
            rows[count - before] = row
            count += 1
            slots[slot] = count
        ids[row] = slots[slot] - 1
    return count


def heard(
    text: Sequence[int], at: int, end: int, people: Sequence[int], places: Sequence[int], seats: int,
    room: MutableSequence[int], size: int,
) -> int:  # fmt: skip
    """Writes what is said with seats for the players with whom strings begin, or who stand after a moment (`@1.2`);
    where it ends then."""
    inside = moment = False
    while at < end:
        letter = text[at]
        room[size] = letter
        size += 1
        at += 1
        begins = moment and letter == BLANK
        if letter == QUOTE:
            inside = not inside
            begins, moment = inside, inside and text[at] == AT
        if begins:
            seat = seat_at(text, at, people, places, seats)
            moment = moment and letter == QUOTE
            if seat >= 0:
                room[size] = 1 + seat
                size += 1
                at += places[seat + 1] - places[seat] - 1
    return size


def slot_for(
    words: Sequence[int], first: int, size: int, kept: Sequence[int], kept_at: Sequence[int], slots: Sequence[int]
) -> int:
    """The slot that has a text, or where it would go."""
    mask, slot = len(slots) - 1, 0
    for place in range(size):
        slot = (slot * 31 + words[first + place]) & 0xFFFFFFFFFFFF
    slot = (slot ^ slot >> 17) & mask
    while slots[slot] != 0:
        begin = kept_at[slots[slot] - 1]
        if kept_at[slots[slot]] - begin == size and stands(kept, begin, words, first, first + size):
            break
        slot = (slot + 1) & mask
    return slot


def place_again(kept: Sequence[int], kept_at: Sequence[int], count: int, slots: MutableSequence[int]) -> None:
    """Puts so many texts into empty slots."""
    for number in range(count):
        first = kept_at[number]
        slots[slot_for(kept, first, kept_at[number + 1] - first, kept, kept_at, slots)] = number + 1


# --- cards ------------------------------------------------------------------------------------------------------------


def read_cards(
    text: Sequence[int], suits: Sequence[int], ranks: Sequence[int], spans: Any, of_hands: int, of_tricks: int,
    head: Sequence[int], tables: Any, people: Sequence[int], places: Any, taken: MutableSequence[int], asked: Any,
    hands: Any, counts: Any, cards: Any, said: Any,
) -> None:  # fmt: skip
    """Hands by seat, as masks and numbers of cards; the cards of all tricks, and who leads them. `suits` and `ranks`
    give for a byte the suit (0 to 3) and the place of the rank, else -1. A row that is not canonical is not taken."""
    for row in range(len(taken)):
        if not taken[row]:
            continue
        seats, by = tables[head[row], 0], places[head[row], LEADER]
        first = spans[row, of_hands, 0]
        asked[row, A_HANDS] = int(first > 0)
        if first and not read_hands(text, suits, ranks, first + 1, seats, hands[row], counts[row]):
            taken[row] = 0
        first = spans[row, of_tricks, 0]
        tricks = read_tricks(text, suits, ranks, first + 1, seats, people, by, cards[row], said[row]) if first else 0
        asked[row, A_TRICKS] = tricks
        if tricks < 0:
            taken[row] = 0


def read_hands(
    text: Sequence[int], suits: Sequence[int], ranks: Sequence[int], at: int, seats: int, hands: MutableSequence[int],
    counts: MutableSequence[int],
) -> bool:  # fmt: skip
    """Whether there are as many hands as seats, with a card or none in each place."""
    for seat in range(seats):
        if text[at] != QUOTE:
            return False
        at += 1
        while text[at] != QUOTE:
            card, after = card_at(text, suits, ranks, at), text[at + 2]
            if card < 0 or (after != QUOTE and (after != BLANK or text[at + 3] == QUOTE)):
                return False
            hands[seat] |= 1 << card
            counts[seat] += 1
            at += 2 if after == QUOTE else 3
        at += 2
    return text[at - 1] == LIST_END


def read_tricks(
    text: Sequence[int], suits: Sequence[int], ranks: Sequence[int], at: int, seats: int, people: Sequence[int],
    places: Sequence[int], cards: MutableSequence[int], said: MutableSequence[int],
) -> int:  # fmt: skip
    """How many tricks there are, -1 where one of them is not whole, or they are too many."""
    trick = place = 0
    while text[at] == QUOTE:
        at += 1
        leader = seat_at(text, at, people, places, seats)
        if trick == MOST_TRICKS:
            return -1
        said[trick] = leader
        at += places[leader + 1] - places[leader] if leader >= 0 else 0
        for turn in range(seats):
            card = card_at(text, suits, ranks, at)
            if card < 0 or text[at + 2] != (BLANK if turn + 1 < seats else QUOTE):
                return -1
            cards[place] = card
            at += 3
            place += 1
        at += int(text[at] == COMMA)
        trick += 1
    return trick


def card_at(text: Sequence[int], suits: Sequence[int], ranks: Sequence[int], at: int) -> int:
    """The number of the card that is written there, -1 where none is."""
    suit, rank = suits[text[at]], ranks[text[at + 1]]
    return suit * 9 + rank if suit >= 0 and rank >= 0 else -1


# --- what is asked ----------------------------------------------------------------------------------------------------


def ask(
    text: Sequence[int], spans: Any, kinds: Sequence[int], columns: Sequence[int], inner: int, outer: int,
    ids: Sequence[int], said: Any, words: Any, plans: Any, hands: Any, head: Sequence[int], tables: Any,
    people: Sequence[int], places: Any, taken: MutableSequence[int], asked: Any, unsure: MutableSequence[int],
) -> None:  # fmt: skip
    """What is asked of the core for each row: what was said, `words[n, p]` with the partner in seat p - 1 (0: nobody,
    or whoever it is), and what is stated, in its column. `said` has of each text its plan and what it depends on; where
    it is not known whether it is allowed `unsure` is p + 1."""
    for row in range(len(taken)):
        if not taken[row]:
            continue
        number, of, partner = ids[row], head[row], 0
        plan, by = said[number, 0], places[of, NAME]
        if plan > 0 and said[number, 1] == FITS_WITH_PARTNER:
            partner = partner_of(plans[plan], hands[row], -1) + 1
        well = plan > 0 and state(text, spans[row], kinds, columns, inner, outer, people, by, tables[of, 0], asked[row])
        if not well or words[number, partner, 0] == 0:
            taken[row] = 0
        elif words[number, partner, 0] < 0:
            unsure[row] = partner + 1
        else:
            for place in range(A_HANDS):
                asked[row, place] = words[number, partner, place]


def state(
    text: Sequence[int], spans: Any, kinds: Sequence[int], columns: Sequence[int], inner: int, outer: int,
    people: Sequence[int], places: Sequence[int], seats: int, asked: MutableSequence[int],
) -> bool:  # fmt: skip
    """Writes what is stated; whether every name is a player's and there are as many entries as there should be."""
    for field in range(inner, outer):
        at, end, column, kind = spans[field, 0], spans[field, 1], columns[field], kinds[field]
        if end == 0 or column < 0:
            continue
        if kind == FLAG:
            asked[column] = int(text[at] == TRUE)
        elif kind == TEXT:
            asked[column] = seat_at(text, at + 1, people, places, seats)
            if asked[column] < 0:
                return False
        elif kind in (NUMBER, COUNT):
            asked[column] = number_at(text, at)
        else:
            most, entries = MOST_TRICKS if column == A_WINNER else seats, 0
            at += 1
            while text[at] != LIST_END:
                if entries == most:
                    return False
                found = number_at(text, at) if kind == NUMBERS else seat_at(text, at + 1, people, places, seats)
                if kind == TEXTS and found < 0:
                    return False
                asked[column + entries] = found
                entries += 1
                at = number_end(text, at, False) if kind == NUMBERS else string_end(text, at)
                at += int(text[at] == COMMA)
            if column == A_WINNER:
                asked[A_WINNERS] = entries
            elif entries != seats:
                return False
    return True
