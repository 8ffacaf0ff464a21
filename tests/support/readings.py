"""The readings in which the documents disagree, or which they leave open, from readings.toml.

The deals are in test_disagreements and unsettled_readings; the function of a question there defines the meaning of
`gives`.
"""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple


class Row(NamedTuple):
    """A reading of a question. `house` is the setting as a record writes it under [house], over those of `rules`."""

    question: str
    reading: str
    house: str
    source: str
    gives: Any
    rules: str = "bavarian"


ONE_SUM = ("Schwarz", "Run-away")  # the documents say the same in different words


def as_given(value: Any) -> Any:
    """Return a value of the file as deals give it: lists as tuples, and None for what is not known."""
    if isinstance(value, list):
        return tuple(map(as_given, value))
    return None if value == "unknown" else value


TABLE = tuple(
    Row(question, reading, **each | {"gives": as_given(each["gives"])})
    for questions in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).values()
    for question, readings in questions.items()
    for reading, each in readings.items()
)
