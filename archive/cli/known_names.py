"""Types of options and arguments that name something known, so that a shell completes them: rulesets, questions,
players, deals and the rest of an archive. Any other text is accepted; the command reports one that names nothing."""

import os
import re
from collections.abc import Callable, Iterable
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from archive.cli import configuration
from archive.cli.language import wrong_use
from archive.record import severities
from archive.rules import installed_rulesets
from archive.say import did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MOST = 200  # names that are offered
LISTS = ("standings", "sources", "fairness")  # answers of `schafkopf stats` that are no standard question
UNSAFE = r"([^\w@%+=:,./-])"  # characters with a meaning of their own in bash
Row = tuple[object, str | None]  # a name, and a line about it
Names = Callable[[click.Context, str], Iterable[Row]]


class KnownName(click.types.StringParamType):
    """A name that is completed: `names` gives those that begin so; `paths`: a `file` or a `dir` is accepted too."""

    def __init__(self, name: str, names: Names, paths: str = "") -> None:
        self.name, self.names, self.paths = name, names, paths

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem  # here, since a shell alone asks for it

        items = [CompletionItem(incomplete, self.paths)] if self.paths else []
        fits = ((str(name), about) for name, about in self.names(ctx, incomplete))
        fits = ((name, about) for name, about in fits if name.startswith(incomplete))
        return items + [CompletionItem(shell_word(name), help=about) for name, about in islice(fits, MOST)]


class KnownNumber(KnownName):
    """The number of a row that is completed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return NUMBER.convert(value, param, ctx)


class RulesetToJudgeBy(KnownName):
    """A ruleset in place of the record's own: a name, a file, or a file beside a record; what is none is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value in installed_rulesets():
            return value
        if os.path.isfile(value):  # noqa: PTH113 - `Path.is_file` raises for what is too long for a name
            return str(Path(value).absolute())
        if not Path(value).suffix:
            raise wrong_use("unknown-rules", word=value, near=did_you_mean(value, installed_rulesets()))
        return value


def path_from(folder: Path, rules: str) -> str:
    """Return a ruleset as it is stored or shown: a file in a folder or below it by its path from there, since the
    folders of this machine tell others nothing."""
    return str(Path(rules).relative_to(folder)) if Path(rules).is_relative_to(folder) else rules


def shell_word(name: str) -> str:
    """Return a name in the form the completing shell needs: bash takes a completion as if it had been typed."""
    return re.sub(UNSAFE, r"\\\1", name) if os.environ.get("_SCHAFKOPF_COMPLETE", "").startswith("bash") else name


def apply_settings(ctx: click.Context) -> None:
    """Apply the settings of the user, which a completion has to read itself, since no command is run."""
    try:
        configuration.apply_file(ctx.find_root().params.get("rulesets") or ())
    except click.UsageError:
        return


# --- without an archive -----------------------------------------------------------------------------------------------


def _rulesets(ctx: click.Context, _begun: str) -> Iterable[Row]:
    apply_settings(ctx)
    return ((name, None) for name in installed_rulesets())


def _questions(_ctx: click.Context, _begun: str) -> Iterable[Row]:
    from archive.stats import QUESTIONS  # here, since commands that ask no archive need none of it
    from archive.stats.texts import all_texts

    texts = all_texts().questions
    return [*((name, texts[name].title.of("en")) for name in QUESTIONS), *((name, None) for name in LISTS)]


def _findings(_ctx: click.Context, _begun: str) -> Iterable[Row]:
    return sorted(severities().items())


def _none(_ctx: click.Context, _begun: str) -> Iterable[Row]:
    return ()


# --- of an archive ----------------------------------------------------------------------------------------------------


def of_archive(sql: str) -> Names:
    """Return a function for the rows of a query to the archive that the command line names: a name, and what else is
    known. `?1` is how the name begins. None if there is no archive that can be read."""

    def names(ctx: click.Context, begun: str) -> list[Row]:
        import sqlite3  # here, since only a completion asks

        from archive.store import ArchiveError, remove_log
        from archive.store.connection import connect_read

        apply_settings(ctx)
        usual = ctx.get_parameter_source("db") in (None, ParameterSource.DEFAULT)
        path = os.environ.get(configuration.DB) or "archive.db" if usual else ctx.params["db"]
        try:
            with closing(connect_read(path)) as conn:
                rows = conn.execute(f"{sql} LIMIT {MOST}", (begun,)).fetchall()
                return [(name, ", ".join(str(each) for each in about if each is not None)) for name, *about in rows]
        except (ArchiveError, sqlite3.Error):
            return []
        finally:
            remove_log(Path(path))

    return names


BEGINS = "substr({0}, 1, length(?1)) = ?1"
_deals = of_archive(
    f"""SELECT deal, date, event, 'deal ' || number, contract, declarer, verdict FROM outcomes
    WHERE {BEGINS.format("deal")} ORDER BY deal"""
)
_sessions = of_archive(f"SELECT id, event, place, date FROM sessions WHERE {BEGINS.format('id')} ORDER BY id")
_players = of_archive(f"SELECT name FROM players WHERE {BEGINS.format('name')} ORDER BY name")
_events = of_archive(f"SELECT DISTINCT event FROM sessions WHERE {BEGINS.format('event')} ORDER BY event")
_contracts = of_archive(
    f"SELECT contract, min(title) FROM contracts WHERE {BEGINS.format('contract')} GROUP BY contract ORDER BY contract"
)
_cases = of_archive(f"SELECT id, claimant FROM cases WHERE {BEGINS.format('id')} ORDER BY id")
_sources = of_archive(f"SELECT path, 'file ' || id FROM sources WHERE {BEGINS.format('path')} ORDER BY id")

RULESET = KnownName("ruleset", _rulesets, "file")
JUDGED_BY = RulesetToJudgeBy("ruleset", _rulesets, "file")
QUESTION = KnownName("question", _questions)
FINDING = KnownName("rule", _findings)
DEAL = KnownName("deal", _deals)
DEAL_OR_FILE = KnownName("deal", _deals, "file")
NUMBER = click.IntRange(max=2**63 - 1)  # of a row; SQLite knows none above
SESSION = KnownNumber("number", _sessions)
PLAYER = KnownName("name", _players)
EVENT = KnownName("text", _events)
CONTRACT = KnownName("contract", _contracts)
CASE = KnownNumber("number", _cases)
SOURCE = KnownName("source", _sources)
FILE = KnownName("file", _none, "file")
FOLDER = KnownName("dir", _none, "dir")
