"""A file for each subject: `FACTS` that are counted once, and `QUESTIONS` over them; its texts have its name in
`stats/words`.

A new file is found by itself. The subjects stand in the order of their headings.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from archive.resources import read_texts
from archive.stats.texts import HEADINGS
from archive.stats.types import Facts, Question


class Subject(Protocol):
    """A module of this folder."""

    FACTS: tuple[Facts, ...]
    QUESTIONS: tuple[Question, ...]


def load_subjects() -> tuple[Subject, ...]:
    """Return every module of this folder; those without questions, whose facts only views and pages read, come last."""
    subjects = [cast(Subject, import_module(f"{__name__}.{subject.name}")) for subject in iter_modules(__path__)]
    places = {name: place for place, name in enumerate(read_texts(HEADINGS)["subjects"])}
    return tuple(
        sorted(subjects, key=lambda subject: min([places.get(of.subject, 98) for of in subject.QUESTIONS] or [99]))
    )
