"""The page about chance, in words and numbers: what `audit.dealing` found, as it is shown."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct

from archive.stats.fairness import Group, Trial, Trials, hands_needed, score_limit
from archive.text.numbers import format_decimal
from archive.text.wording import Texts, card_name

KINDS = {"archive": "fn_archive", "source": "fn_source", "dealer": "fn_dealer", "recorder": "fn_recorder"}
PEOPLE = {"dealer": "fn_who_dealer", "recorder": "fn_who_recorder"}
TEST_TITLES = {
    "lords": "fn_lords",
    "matadors": "fn_matadors",
    "free_suits": "fn_free_suits",
    "cards": "fn_cards",
    "card": "fn_card",
}
MOST_OPEN_ROWS = 12  # rows of a table that stand open
MOST_SENTENCES = 8  # trials that stand out and are told in a sentence
SHARES = (0.1, 0.05, 0.02, 0.01)  # more Obers and Unters than chance gives
CANNOT = (
    "fn_cannot_proof",
    "fn_cannot_chosen",
    "fn_cannot_thrown",
    "fn_cannot_part",
    "fn_cannot_wrong",
    "fn_cannot_small",
)

Facts = Mapping[str, Any]


class TrialCell(Struct, frozen=True):
    """One trial in a table: what was seen, what chance gives, how probable that is."""

    head: str
    observed: str
    expected: str
    score: str
    out: bool


class TrialRow(Struct, frozen=True):
    label: str
    player: int | None  # whose page it leads to
    place: str
    size: str
    hands: int
    cells: tuple[TrialCell, ...]


class TrialTable(Struct, frozen=True):
    kind: str
    title: str
    rows: tuple[TrialRow, ...]
    folded: tuple[TrialRow, ...]


class Power(Struct, frozen=True):
    """How many hands it takes to see so many more Obers and Unters: among all tests, and for one alone."""

    share: str
    per_ten: str
    among: int
    single: int


class FairnessPage(Struct, frozen=True, kw_only=True):
    fair: bool
    summary: str
    sentences: tuple[str, ...]
    rest: int
    tables: tuple[TrialTable, ...]
    power: tuple[Power, ...]
    pack: int
    cards: int
    number: int


class Names(Struct, frozen=True):
    """The names of files and players, by number."""

    files: Mapping[int, str]
    players: Mapping[int, str]


def fairness_page(trials: Trials, names: Names, t: Texts) -> FairnessPage:
    groups = list(dict.fromkeys(each.group for each in trials.trials))
    largest = max(groups, key=lambda each: each.hands)
    out = trials.standing_out
    farthest = max((each.score for each in trials.trials), key=abs)
    summary = t["fn_tests"].format(
        tests=len(trials.trials), groups=len(groups), number=trials.number,
        score=format_decimal(farthest, 1, t, sign=True),
        limit=format_decimal(score_limit(trials.number), 1, t),
    )  # fmt: skip
    return FairnessPage(
        fair=not out,
        summary=summary,
        sentences=tuple(trial_sentence(each, names, t) for each in out[:MOST_SENTENCES]),
        rest=len(out) - len(out[:MOST_SENTENCES]),
        tables=tuple(
            trial_table(kind, trials.trials, names, t) for kind in KINDS if any(g.kind == kind for g in groups)
        ),
        power=tuple(power_rows(largest, trials.number, t)),
        pack=largest.pack,
        cards=largest.cards,
        number=trials.number,
    )


def trial_table(kind: str, trials: Sequence[Trial], names: Names, t: Texts) -> TrialTable:
    """A row for each group, those of most hands first."""
    mine: dict[Group, list[Trial]] = {}
    for each in trials:
        if each.group.kind == kind:
            mine.setdefault(each.group, []).append(each)
    rows = tuple(
        TrialRow(
            label=group_label(group, names, t),
            player=group.key if kind in PEOPLE else None,
            place=group_place(group, t),
            size=t["fn_size"].format(cards=group.cards, pack=group.pack),
            hands=group.hands,
            cells=tuple(trial_cell(each, t) for each in tried),
        )
        for group, tried in mine.items()
    )  # fmt: skip
    return TrialTable(kind, t[KINDS[kind]], rows[:MOST_OPEN_ROWS], rows[MOST_OPEN_ROWS:])


def trial_cell(trial: Trial, t: Texts) -> TrialCell:
    observed, expected = trial_values(trial, t)
    score = t["fn_score"].format(
        score=format_decimal(trial.score, 1, t, sign=True), corrected=format_probability(trial.corrected, t)
    )
    if trial.card:
        observed = f"{card_name(trial.card, t)} {observed}"
    return TrialCell(t[TEST_TITLES[trial.of]], observed, t["fn_of"].format(expected=expected), score, trial.stands_out)


def trial_values(trial: Trial, t: Texts) -> tuple[str, str]:
    """The observed and the expected value as texts: per hand, or in all of them."""
    if trial.of == "cards":
        return format_decimal(trial.observed, 1, t), format_decimal(trial.expected, 0, t)
    if trial.of == "card":
        return format_decimal(trial.observed, 0, t), format_decimal(trial.expected, 1, t)
    observed, expected = (value / trial.group.hands for value in (trial.observed, trial.expected))
    return format_decimal(observed, 3, t), format_decimal(expected, 3, t)


def group_label(group: Group, names: Names, t: Texts) -> str:
    if group.kind == "archive":
        return t["fn_all"]
    if group.kind == "source":
        return file_name(names.files[group.key])
    return names.players[group.key]


def group_place(group: Group, t: Texts) -> str:
    if not group.place:
        return ""
    return t["fn_forehand"] if group.place == 1 else t["fn_place"].format(place=group.place)


def trial_sentence(trial: Trial, names: Names, t: Texts) -> str:
    """A trial that stands out, as a sentence without reproach."""
    group, (observed, expected) = trial.group, trial_values(trial, t)
    who = group_label(group, names, t)
    if group.kind in PEOPLE:
        who = t[PEOPLE[group.kind]].format(name=who)
    what = f"{t['fn_card']}, {card_name(trial.card, t)}" if trial.card else t[TEST_TITLES[trial.of]]
    numbers = t["fn_said"].format(
        what=what, observed=observed, expected=expected, hands=group.hands,
        score=format_decimal(trial.score, 1, t, sign=True), corrected=format_probability(trial.corrected, t),
    )  # fmt: skip
    return f"{', '.join(part for part in (who, group_place(group, t)) if part)} – {numbers}"


def power_rows(group: Group, number: int, t: Texts) -> Iterable[Power]:
    among = hands_needed(group.pack, group.cards, SHARES, number)
    single = hands_needed(group.pack, group.cards, SHARES, 1)
    for share, many, one in zip(SHARES, among, single, strict=True):
        extra = 10 * share * 8 * group.cards / group.pack
        yield Power(f"{round(100 * share)}\u202f%", format_decimal(extra, 1, t), many, one)


def file_name(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).name


def format_probability(p: float, t: Texts) -> str:
    if p < 0.001:
        return f"< {format_decimal(0.001, 3, t)}"
    return "1" if p >= 0.995 else format_decimal(p, 2 if p >= 0.1 else 3, t)


# --- the picture ------------------------------------------------------------------------------------------------------
