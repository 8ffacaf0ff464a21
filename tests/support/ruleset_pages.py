"""The page of a ruleset in docs/rules: every value with its source."""

from archive.rules import Contract, Ruleset, values


def page(ruleset: Ruleset) -> str:
    """Return a ruleset as Markdown: settings, then a table for each contract and round."""
    texts = values(ruleset)
    written = "This page is written by `pytest --update` from the ruleset."
    parts = [
        f'# {ruleset.title}\n\n`rules = "{ruleset.id}"`. {written}\n',
        *([f"**Incomplete.** {ruleset.incomplete}\n"] if ruleset.incomplete else []),
        "Documents: " + "; ".join(f"`{number}` {title}" for number, title in ruleset.sources.items()) + ".\n",
        "## House settings\n\n" + _table("house.", texts, ruleset.cites),
    ]
    for name, contract in sorted(ruleset.contracts.items(), key=lambda item: (item[1].rank, item[0])):
        when = "" if name in ruleset.house.contracts else f", {when_played(ruleset, contract)}"
        parts.append(f"## {contract.title} (`{name}`){when}\n\n" + _table(f"contract.{name}.", texts, ruleset.cites))
    for name, special in ruleset.rounds.items():
        parts.append(f"## Round: {special.title} (`{name}`)\n\n" + _table(f"round.{name}.", texts, ruleset.cites))
    return "\n".join(parts)


def when_played(ruleset: Ruleset, contract: Contract) -> str:
    """Return when a contract is played that a table does not play anyway."""
    rounds = [each.title for each in ruleset.rounds.values() if contract.id in each.contracts]
    if rounds:
        return f"played in the round {' or '.join(rounds)}"
    also = " or `house.hochzeit`" if contract.exchange == "wedding" else ""
    return f"not played unless `house.contracts`{also} names it"


def _table(prefix: str, texts: dict[str, str], cites: dict[str, str]) -> str:
    rows = [
        f"| `{key.removeprefix(prefix)}` | {value} | {cites[key]} |\n"
        for key, value in texts.items()
        if key.startswith(prefix) and key in cites
    ]
    return "| value | | source |\n|---|---|---|\n" + "".join(rows)
