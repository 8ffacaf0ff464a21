"""The settings of a user for all commands: the archive, the language, the ruleset of deals that name none, and the
folder of the user's own rulesets.

An option of the command line comes first, then the environment, then the file `config.toml` in the system's folder for
settings, or the file that SCHAFKOPF_CONFIG names.
"""

import os
from collections.abc import MutableMapping, Sequence
from pathlib import Path
from typing import Any

import click

from archive.cli.help import LANGUAGE, speak
from archive.resources import FOLDERS, LANGUAGES, expand_home

FILE = "SCHAFKOPF_CONFIG"
DB, RULES = "SCHAFKOPF_DB", "SCHAFKOPF_RULES"
PATHS = ("archive", "rulesets")  # settings that are paths relative to the folder of the file
KEYS = {
    "archive": DB,
    "language": LANGUAGE,
    "rules": RULES,
    "rulesets": FOLDERS,
}  # of the file, with their names in the environment


def apply_file(rulesets: Sequence[str] = (), environment: MutableMapping[str, str] = os.environ) -> None:
    """Put the folders of rulesets that an option names into the environment, and those settings of the file that it
    lacks. Raises UsageError if the file cannot be read, or a setting is unknown."""
    if rulesets:
        environment[FOLDERS] = os.pathsep.join(rulesets)
    path = Path(environment.get(FILE) or Path(click.get_app_dir("schafkopf")) / "config.toml")
    if environment.get(FILE) or path.is_file():
        for key, value in read_file(path).items():
            environment.setdefault(KEYS[key], value)
        speak(environment)
    language = environment.get(LANGUAGE) or "en"
    if language not in LANGUAGES:
        raise wrong_setting("no-language", language=language, languages=tuple(LANGUAGES))


def read_file(path: Path) -> dict[str, str]:
    """Return the settings of a file, by key; paths to the archive and rulesets are relative to its folder. Raises
    UsageError."""
    import tomllib  # here, as below, since a help begins at once

    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        from archive.say import message, why_refused  # here, as in wrong_setting

        is_deep = isinstance(error, RecursionError)
        why = message("notation.nested-too-deeply") if is_deep else why_refused(error)
        raise wrong_setting("not-read", path=path, why=why) from None
    if wrong := [key for key, value in table.items() if key not in KEYS or not isinstance(value, str)]:
        raise wrong_setting("no-setting", path=path, key=wrong[0], keys=tuple(KEYS))
    return table | {key: str(path.parent / expand_home(table[key])) for key in PATHS if key in table}


def wrong_setting(key: str, /, **facts: Any) -> click.UsageError:
    """Return the error of a setting, with the sentence `key`."""
    from archive.cli.language import wrong_use

    return wrong_use(key, **facts)


def usual_rules() -> str | None:
    """Return the ruleset of a new evening that names none."""
    return os.environ.get(RULES)
