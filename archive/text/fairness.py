"""The tests of fairness in words and numbers, for a page and for the terminal."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from archive.stats.fairness import Group, Trial, Trials, hands_needed, score_limit
from archive.text.file_names import file_name
from archive.text.numbers import format_decimal
from archive.text.wording import Texts, card_name, place_words

KINDS = {"archive": "fn_archive", "source": "fn_source", "dealer": "fn_dealer", "recorder": "fn_recorder"}
PEOPLE = {"dealer": "fn_who_dealer", "recorder": "fn_who_recorder"}
TEST_TITLES = {
    "lords": "fn_lords",
    "matadors": "fn_matadors",
    "free_suits": "fn_free_suits",
    "cards": "fn_cards",
    "card": "fn_card",
}
IN_ALL_HANDS = {"cards": (1, 0), "card": (0, 1)}  # counted in all hands together: decimals of observed and expected
MOST_OPEN_ROWS = 12  # rows of a table that are not folded
MOST_SENTENCES = 8  # trials that stand out, each with its sentence
SHARES = (0.1, 0.05, 0.02, 0.01)  # of Obers and Unters above what chance gives
CANNOT = (
    "fn_cannot_proof", "fn_cannot_friend", "fn_cannot_chosen", "fn_cannot_thrown", "fn_cannot_part", "fn_cannot_wrong",
    "fn_cannot_small",
)  # fmt: skip


class TrialCell(Struct, frozen=True):
    """One trial in a table: what was seen, what chance gives, and how probable that is."""

    head: str
    observed: str
    expected: str
    score: str
    out: bool


class TrialRow(Struct, frozen=True):
    label: str
    player: int | None  # the player whose page it leads to
    place: str
    group: Group
    cells: tuple[TrialCell, ...]


class TrialTable(Struct, frozen=True):
    kind: str
    title: str
    rows: tuple[TrialRow, ...]
    folded: tuple[TrialRow, ...]


class Power(Struct, frozen=True):
    """The number of hands needed to see this share more of Obers and Unters: among all tests, and for one alone."""

    share: str
    per_ten: str
    among: int
    single: int


class FairnessPage(Struct, frozen=True):
    fair: bool
    summary: str
    sentences: tuple[str, ...]
    rest: int
    tables: tuple[TrialTable, ...]
    power: tuple[Power, ...]
    largest: Group  # the group that `power` is for
    number: int


class Names(Struct, frozen=True):
    """The names of files and players, by number."""

    files: Mapping[int, str]
    players: Mapping[int, str]


def fairness_page(trials: Trials, names: Names, t: Texts) -> FairnessPage:
    groups = list(dict.fromkeys(trial.group for trial in trials.trials))
    largest, out = max(groups, key=lambda group: group.hands), trials.standing_out
    farthest = max((trial.score for trial in trials.trials), key=abs)
    score, limit = format_decimal(farthest, 1, t, sign=True), format_decimal(score_limit(trials.number), 1, t)
    counts = {"tests": len(trials.trials), "groups": len(groups), "number": trials.number}
    kinds = [kind for kind in KINDS if any(group.kind == kind for group in groups)]
    return FairnessPage(
        not out,
        t["fn_tests"].format(score=score, limit=limit, **counts),
        tuple(trial_sentence(trial, names, t) for trial in out[:MOST_SENTENCES]),
        len(out[MOST_SENTENCES:]),
        tuple(trial_table(kind, trials.trials, names, t) for kind in kinds),
        tuple(power_rows(largest, trials.number, t)),
        largest,
        trials.number,
    )


def trial_table(kind: str, trials: Sequence[Trial], names: Names, t: Texts) -> TrialTable:
    """Return a table with a row for each group, those with most hands first."""
    by_group: dict[Group, list[TrialCell]] = {}
    for trial in trials:
        if trial.group.kind == kind:
            facts = trial_facts(trial, t)
            observed = f"{card_name(trial.card, t)} {facts['observed']}" if trial.card else facts["observed"]
            expected, score = t["fn_of"].format(**facts), t["fn_score"].format(**facts)
            cell = TrialCell(t[TEST_TITLES[trial.of]], observed, expected, score, trial.stands_out)
            by_group.setdefault(trial.group, []).append(cell)
    rows = tuple(
        TrialRow(
            group_label(group, names, t), group.key if kind in PEOPLE else None,
            place_words(group.place, t) if group.place else "", group,
            tuple(cells),
        )
        for group, cells in by_group.items()
    )  # fmt: skip
    return TrialTable(kind, t[KINDS[kind]], rows[:MOST_OPEN_ROWS], rows[MOST_OPEN_ROWS:])


def trial_facts(trial: Trial, t: Texts) -> dict[str, str]:
    """Return the observed and the expected value as texts, per hand or in total, the score and its probability."""
    hands, places = (1, IN_ALL_HANDS[trial.of]) if trial.of in IN_ALL_HANDS else (trial.group.hands, (3, 3))
    return {
        "observed": format_decimal(trial.observed / hands, places[0], t),
        "expected": format_decimal(trial.expected / hands, places[1], t),
        "score": format_decimal(trial.score, 1, t, sign=True),
        "corrected": format_probability(trial.corrected, t),
    }


def group_label(group: Group, names: Names, t: Texts) -> str:
    if group.kind == "archive":
        return t["fn_all"]
    if group.kind == "source":
        return file_name(names.files[group.key])
    return names.players[group.key]


def trial_sentence(trial: Trial, names: Names, t: Texts) -> str:
    """Return a trial that stands out, as a sentence without reproach."""
    group, who = trial.group, group_label(trial.group, names, t)
    who = t[PEOPLE[group.kind]].format(name=who) if group.kind in PEOPLE else who
    test = f"{t['fn_card']}, {card_name(trial.card, t)}" if trial.card else t[TEST_TITLES[trial.of]]
    numbers = t["fn_said"].format(what=test, hands=group.hands, **trial_facts(trial, t))
    place = place_words(group.place, t) if group.place else ""
    return f"{', '.join(filter(None, (who, place)))} – {numbers}"


def power_rows(group: Group, number: int, t: Texts) -> Iterable[Power]:
    among = hands_needed(group.pack, group.cards, SHARES, number)
    single = hands_needed(group.pack, group.cards, SHARES, 1)
    for share, many, one in zip(SHARES, among, single, strict=True):
        extra = 10 * share * 8 * group.cards / group.pack
        yield Power(f"{round(100 * share)}\u202f%", format_decimal(extra, 1, t), many, one)


def format_probability(p: float, t: Texts) -> str:
    if p < 0.001:
        return f"< {format_decimal(0.001, 3, t)}"
    return "1" if p >= 0.995 else format_decimal(p, 2 if p >= 0.1 else 3, t)
