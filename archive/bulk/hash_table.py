"""A table of keys over plain rows of integers, since a dict would take ten times the memory. Meant to be compiled.

A key is any integer of 64 bits except 0, which stands for none; the number of slots is a power of two.
"""

from collections.abc import MutableSequence, Sequence


def find_slot(slots: Sequence[int], key: int) -> int:
    """Return the slot that has a key, or where the key would go."""
    mask = len(slots) - 1
    slot = (key ^ key >> 29) & mask
    while slots[slot] != 0 and slots[slot] != key:
        slot = (slot + 1) & mask
    return slot


def lookup_and_insert(
    slots: MutableSequence[int],
    values: MutableSequence[int],
    first: Sequence[int],
    second: Sequence[int],
    lines: Sequence[int],
    met: MutableSequence[int],
) -> int:
    """Look up two keys of every row, then store them with its line; `met` gets the line of an earlier row that has the
    first of them, else the second, 0 if there is none. Return how many keys are new."""
    new = 0
    for row in range(len(first)):
        met[row] = 0
        for key in (first[row], second[row]):
            if key != 0:
                slot = find_slot(slots, key)
                if slots[slot] == 0:
                    slots[slot] = key
                    new += 1
                elif met[row] == 0:
                    met[row] = values[slot]
                values[slot] = lines[row]
    return new


def has_any(slots: Sequence[int], keys: Sequence[int]) -> bool:
    there = False
    for row in range(len(keys)):
        there |= keys[row] != 0 and slots[find_slot(slots, keys[row])] != 0
    return there


def rehash(
    slots: Sequence[int], values: Sequence[int], into: MutableSequence[int], into_values: MutableSequence[int]
) -> None:
    """Put all keys into a larger table."""
    for place in range(len(slots)):
        if slots[place] != 0:
            slot = find_slot(into, slots[place])
            into[slot], into_values[slot] = slots[place], values[place]
