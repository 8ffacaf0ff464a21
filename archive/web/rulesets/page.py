"""A ruleset for people: what is played, the order of the trumps, and every value with what it says and its source."""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from archive.cards import CODES, SUITS, is_known, rank_name, spoken_name, suit_name
from archive.play.auction.ranks import wedding
from archive.rules import HERE, Contract, Ruleset, tables, values
from archive.rules.tables import score_of
from archive.settle.rounds import special_rounds
from archive.text.wording import Texts, contract_title, rules_title, unit_of
from archive.web.queries import Facts

# Values under a name that is no part of the rules: `house.price.solo`, `contract.rufspiel.nicknames.Alte`.
NAMED = (
    "price", "table", "runners_from", "rank", "consequences", "nicknames", "suit_rank", "suit_price", "points",
    "trump_points",
)  # fmt: skip
SPECIAL = ("bock", "kreuz", "schieber", "teufel")
# What decides and prices a game that is paid, and says nothing of one that is counted in marks, tallies or lives.
PAID = (
    "tariff", "price", "levels", "runners_from", "runners_claim", "runners_most", "tout", "sie", "stock", "cap",
    "cap_of", "bonuses", "times", "times_over",
)  # fmt: skip
# What is settled of games of one kind, and means nothing where none of them is played.
KINDS: dict[str, Callable[[Contract], bool]] = {
    "sie": lambda row: row.goal == "dealt",
    "tout": lambda row: row.tout_rank is not None,
    "du": lambda row: row.tout_rank is not None,
    "call": lambda row: row.takes == "called",
    "solo_needs_suit": lambda row: row.takes == "trump",
    "ramsch": lambda row: row.goal == "most-loses",
    "bettel": lambda row: row.goal == "no-trick",
}
# Keys whose values are letters of ranks.
RANKS = ("lords", "order", "called", "trump_order", "free", "base", "all_pay", "draws", "partners_hold")


class RuleValue(Struct, frozen=True):
    """A value of a ruleset: its key and the meaning of that, the value in words and as it is set, its source. `own`:
    set by the table itself."""

    key: str
    says: str
    value: str
    raw: str
    cite: str
    own: bool = False


def size_words(rules: Ruleset, t: Texts) -> str:
    """Return how many play, and with how many cards."""
    house, key = rules.house, "rules_size_to" if rules.house.least_seats else "rules_size"
    return t[key].format(least=house.least_seats, seats=house.seats, deck=house.deck)


def contracts_of_rounds(rules: Ruleset) -> set[str]:
    """Return the games that are played in the special rounds of a ruleset alone."""
    return {name for each in special_rounds(rules) for name in rules.rounds[each].contracts}


def by_rank(rules: Ruleset) -> list[tuple[str, Contract]]:
    return sorted(rules.contracts.items(), key=lambda item: (item[1].rank, item[0]))


def rulebook(rules: Ruleset, t: Texts) -> Facts:
    """Return the page of a ruleset, perhaps with a table's own settings in it: its `games`, the special `rounds` by
    their titles, the values of the `house`; `idle` are values of games that are not played here, or not paid, `own` is
    how many the table set itself."""
    texts = values(rules)
    house = tuple(_values(rules, "house.", texts, t))
    of_games = [(name, _values(rules, f"contract.{name}.", texts, t)) for name, _ in by_rank(rules)]
    keyed = (
        replace(each, key=f"{name}.{each.key}") for name, every in of_games for each in every if is_unpaid(each, rules)
    )
    return {
        "rules": rules,
        "title": rules_title(rules, t),
        "size": size_words(rules, t),
        "faces": t["faces"],
        "games": [_game(rules, name, row, texts, t) for name, row in by_rank(rules)],
        "rounds": [(row.title, [*_values(rules, f"round.{name}.", texts, t)]) for name, row in rules.rounds.items()],
        "house": [each for each in house if not is_idle(each, rules)],
        "idle": [*(each for each in house if is_idle(each, rules)), *keyed],
        "own": sum(cite == HERE for cite in rules.cites.values()),
    }


def _game(rules: Ruleset, name: str, row: Contract, texts: dict[str, str], t: Texts) -> Facts:
    """Return a game of a ruleset: the codes of its trumps, highest first, or of the cards of one suit if it has none
    (`trumps`); `suit` is the one of the example if the game is named with a suit."""
    named = row.trump in ("named", "turned")
    suit = rules.house.trumps if named else row.trump
    table = tables(rules, name, suit if named else None)
    high = tuple(CODES[number] for number in table.trumps)
    pack = {code for number, code in enumerate(CODES) if table.pack >> number & 1}
    cards = high or tuple(code for rank in row.order if (code := rules.house.trumps + rank) in pack)
    left_out = (contract_title(name, rules, t), *t["rules_foreign"].split(", "))
    return {
        "id": name,
        "title": contract_title(name, rules, t),
        "names": tuple(each for each in row.names if each not in left_out),
        "cards": cards,
        "trumps": bool(high),
        "suit": suit_name(suit, t["faces"]) if named else "",
        "played": name in rules.house.contracts or name in contracts_of_rounds(rules),
        "values": [each for each in _values(rules, f"contract.{name}.", texts, t) if not is_unpaid(each, rules)],
    }


def is_unpaid(each: RuleValue, rules: Ruleset) -> bool:
    """Return whether a value says what is paid, or who is, where marks, tallies or lives are counted instead."""
    return each.key.partition(".")[0] in PAID and score_of(rules.house) is not None and not each.own


def is_idle(each: RuleValue, rules: Ruleset) -> bool:
    """Return whether a value of the house means nothing here: a price where none is paid, or what belongs to games that
    are not played."""
    head, _, rest = each.key.partition(".")
    game, offered = rest.partition(" ")[0] if head in ("runners_from", "rank") else "", wedding(rules)
    played = {*rules.house.contracts, *contracts_of_rounds(rules), *([offered.id] if offered else [])}
    has_kind = head not in KINDS or any(KINDS[head](rules.contracts[name]) for name in played)
    is_there = has_kind and (game not in rules.contracts or game in played)
    return is_unpaid(each, rules) or not (each.own or is_there)


def own_values(rules: Ruleset, t: Texts) -> tuple[RuleValue, ...]:
    """Return the values of the house that a table has set itself."""
    return tuple(each for each in _values(rules, "house.", values(rules), t) if each.own)


def _values(rules: Ruleset, prefix: str, texts: dict[str, str], t: Texts) -> Iterator[RuleValue]:
    for key, value in texts.items():
        if key.startswith(prefix) and key in rules.cites:
            below, cite = key.removeprefix(prefix), rules.cites[key]
            says = key_meaning(prefix.partition(".")[0], below, rules, t)
            own = value
            if below == "order":  # the ranks of a suit that the pack has and that are no lords, highest first
                row = rules.contracts[key.split(".")[1]]
                pack = tables(rules, row.id, rules.house.trumps).pack
                ranks = {code[1] for number, code in enumerate(CODES) if pack >> number & 1} - set(row.lords)
                own = "".join(rank for rank in value if rank in ranks)
            yield RuleValue(below, says, value_words(below, own, rules, t), value, cite, cite == HERE)


def value_words(key: str, value: str, rules: Ruleset, t: Texts) -> str:
    """Return a value of a ruleset in words; `key` is the part behind `house`, or behind a contract."""
    *above, last = key.split(".")
    if key == "unit":
        return unit_of(value, t)
    if last == "names":
        return ", ".join(each for each in value.split(", ") if each not in t["rules_foreign"].split(", "))
    if last in RANKS and value.isalnum():
        return ", ".join(rank_name(rank, t["faces"]) for rank in value)
    return ", ".join(_word_of_value((last, *above), each, rules, t) for each in value.split(", "))


def _word_of_value(keys: tuple[str, ...], word: str, rules: Ruleset, t: Texts) -> str:
    own = next((wording for key in keys if (wording := t.get(f"rv_{key}-{word}"))), "")
    if own or word.isdigit():
        return own or word
    if word in rules.contracts:
        return contract_title(word, rules, t)
    if word in SUITS:
        return suit_name(word, t["faces"])
    return spoken_name(word, t["faces"]) if is_known(word) else t.get(f"rv_{word}", word)


def key_meaning(kind: str, key: str, rules: Ruleset, t: Texts) -> str:
    """Return the meaning of a key of a ruleset: `house`, `contract` or `round`, and the key below it."""
    head, _, rest = key.partition(".")
    if kind == "house" and head in SPECIAL:
        row = rules.rounds.get(head)
        return t[f"r_special_{rest}"].format(name=row.title if row else head.capitalize())
    if head in NAMED and rest:
        return t[f"r_{kind}_{head}"].format(name=_name(rest, rules, t))
    return t[f"r_{kind}_{key.replace('.', '_')}"]


def _name(word: str, rules: Ruleset, t: Texts) -> str:
    """Return the name below a key: a contract and how it is played, a suit, or a word as it is."""
    contract, _, how = word.partition(" ")
    row = rules.contracts.get(contract)
    if row:
        return f"{contract_title(contract, rules, t)} {suit_name(how, t['faces']) or how.capitalize()}".strip()
    if len(word) == 1 and word not in SUITS:
        return rank_name(word, t["faces"])
    return suit_name(word, t["faces"]) or t.get(f"rv_{word}", word)
