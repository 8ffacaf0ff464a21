"""The answers of the interface, and how an address of it is declared."""

from collections.abc import Callable
from typing import Any, Literal, get_type_hints

from msgspec import Struct

Row = dict[str, Any]  # a row of a view or table, by column
Asked = dict[str, Any]  # the parameters of a request by name: integers, texts


class Parameter(Struct, frozen=True):
    """A parameter of an address: its name, what it does, its kind, and the values it can have where these are few."""

    name: str
    says: str
    kind: type[int] | type[str] = str
    choices: tuple[str, ...] = ()


class Endpoint(Struct, frozen=True):
    """An address of the interface: its path as OpenAPI writes it, and the function that answers, whose docstring and
    type describe it. Whatever stands in braces is a parameter of the path; `body` says what is sent, if anything is."""

    path: str
    function: Callable[[Asked], Any]
    parameters: tuple[Parameter, ...] = ()
    body: str = ""
    method: Literal["get", "post"] = "get"

    @property
    def answer(self) -> type:
        return get_type_hints(self.function)["return"]  # type: ignore[no-any-return]


class FindingAnswer(Struct, frozen=True):
    """A finding: its rule, how severe it is, where it stands, and what to do, in the language that was asked for."""

    rule: str
    severity: str
    message: str
    remedy: str | None = None
    line: int | None = None
    deal: int | None = None


class ProblemAnswer(Struct, frozen=True, kw_only=True):
    """Why there is no answer (RFC 9457), with the findings where a text could not be read."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    findings: tuple[FindingAnswer, ...] = ()


class Service(Struct, frozen=True):
    """Where to begin: the version of the program, the number of deals, and the addresses by name."""

    version: str
    deals: int
    links: dict[str, str]


class RowsAnswer(Struct, frozen=True):
    """A page of a list. `next` is the address of the page after it, null at the end."""

    rows: tuple[Row, ...]
    next: str | None


class DealAnswer(Struct, frozen=True):
    """A deal judged: the object of `schafkopf check --json`."""

    id: int
    session: int
    judgement: Row


class SessionAnswer(Struct, frozen=True):
    """A session: its head, its deals as rows of `outcomes`, and what it came to for each seat as rows of `ledger`."""

    session: Row
    deals: tuple[Row, ...]
    ledger: tuple[Row, ...]


class PlayerAnswer(Struct, frozen=True):
    """A player: all names, and the answer of the question `balances` for this player, a row a unit."""

    id: int
    name: str
    names: tuple[str, ...]
    results: tuple[Row, ...]


class QuestionAnswer(Struct, frozen=True):
    """A standard question: how it is asked, how its answer is read, by what it can be narrowed."""

    name: str
    subject: str
    title: str
    read: str
    narrow: tuple[str, ...]
    href: str


class QuestionsAnswer(Struct, frozen=True):
    """All standard questions."""

    questions: tuple[QuestionAnswer, ...]


class AnswerToQuestion(Struct, frozen=True):
    """The answer to a standard question: its columns, its rows, and the SQL that gave them."""

    question: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    sql: str


class CheckAnswer(Struct, frozen=True):
    """A text that was checked: its verdicts counted, each deal as `schafkopf check --json` has it, and findings that
    belong to no deal. `more` counts deals that were not judged, since there was no room or time."""

    verdicts: dict[str, int]
    deals: tuple[Row, ...]
    findings: tuple[FindingAnswer, ...]
    more: int


class PriceAnswer(Struct, frozen=True):
    """The price of a deal in words: `judgement` as of `schafkopf price --json`; null where there is none, with why."""

    judgement: Row | None
    findings: tuple[FindingAnswer, ...]
    missing: tuple[str, ...]
