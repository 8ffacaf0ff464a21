"""The answers of the interface, and how an address of it is declared."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, get_type_hints

from msgspec import Meta, Struct

from archive.store.accounts import Role

Row = dict[str, Any]  # a row of a view or table, by column
Asked = dict[str, Any]  # the parameters of a request by name: integers, texts


class Parameter(Struct, frozen=True):
    """A parameter of an address: its name, what it does, its kind, and the values it can have if these are few."""

    name: str
    says: str
    kind: type[int] | type[str] = str
    choices: tuple[str, ...] = ()


class Endpoint(Struct, frozen=True):
    """An address of the interface: its path as OpenAPI writes it, and the function that answers, whose docstring and
    type describe it; an answer that comes line by line is an iterator of bytes. Whatever stands in braces is a
    parameter of the path. `body` says what is sent, if anything is; `sent` is its type if that is JSON, and the
    function finds it under `sent`. `role` is who may ask; None: everybody."""

    path: str
    function: Callable[[Asked], Any]
    parameters: tuple[Parameter, ...] = ()
    body: str = ""
    method: Literal["get", "post"] = "get"
    role: Role | None = None
    sent: type | None = None

    @property
    def answer(self) -> type:
        return get_type_hints(self.function)["return"]  # type: ignore[no-any-return]


class FindingAnswer(Struct, frozen=True):
    """A finding: its rule, how severe it is, where it stands, and what to do, in the language of the request."""

    rule: str
    severity: str
    message: str
    remedy: str | None = None
    line: int | None = None
    deal: int | None = None


class ProblemAnswer(Struct, frozen=True, kw_only=True):
    """Why there is no answer (RFC 9457), with the findings if a text could not be read."""

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
    """A standard question: how it is asked, how its answer is read, which parameters narrow it."""

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
    rows: tuple[tuple[str | int | float | None, ...], ...]
    sql: str


class UnderstoodAnswer(Struct, frozen=True):
    """A text as it was understood: its deals, evenings, days, players and units; the tariff by which so many of its
    amounts come out, and the tariff that it names; what has to be asked; and all that in three lines."""

    deals: int
    evenings: int
    dates: tuple[str, ...]
    players: tuple[str, ...]
    units: tuple[str, ...]
    tariff: str | None
    tariff_named: str | None
    amounts: int
    amounts_that_fit: int
    questions: tuple[str, ...]
    lines: tuple[str, ...]


class CheckAnswer(Struct, frozen=True):
    """A text that was checked: its verdicts counted, each deal as `schafkopf check --json` has it, and findings that
    belong to no deal. `more` counts deals that were not judged for want of room or time."""

    verdicts: dict[str, int]
    deals: tuple[Row, ...]
    findings: tuple[FindingAnswer, ...]
    more: int
    understood: UnderstoodAnswer


class PriceAnswer(Struct, frozen=True):
    """The price of a deal in words: `judgement` as of `schafkopf price --json`; null if there is none, with the
    reason."""

    judgement: Row | None
    findings: tuple[FindingAnswer, ...]
    missing: tuple[str, ...]


# --- writing --------------------------------------------------------------------------------------------------------

Sentence = Annotated[str, Meta(min_length=1, max_length=2_000, pattern=r"\S")]
Amount = Annotated[int, Meta(ge=-(10**15), le=10**15)]


class CorrectionSent(Struct, frozen=True, forbid_unknown_fields=True):
    """A correction: values by the keys of the record format, dotted (`stated.payments.Anna`), and why. `{}` removes a
    key. In a dry run nothing is stored."""

    set: Annotated[dict[str, Any], Meta(min_length=1, max_length=100)]
    why: Sentence
    dry_run: bool = False


class RulingSent(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling: the payment of each player by name, why, and on which rule or agreement it rests. In a dry run nothing
    is stored."""

    payments: Annotated[dict[str, Amount], Meta(min_length=1, max_length=9)]
    why: Sentence
    cite: Sentence
    dry_run: bool = False


class NearNamesAnswer(Struct, frozen=True):
    """Two names that may be of one person, each with its deals, and the command that joins them; nothing is joined
    without it."""

    name: str
    deals: int
    like: str
    like_deals: int
    command: str


class RecordsAnswer(Struct, frozen=True, kw_only=True):
    """A file that was stored: its number among the sources and the importer that read it; the deals that are new and
    those that were known; the numbers of known deals that the file gives otherwise, and of deals that are `gone` since
    the file no longer has them; how many of these are `retained`; its sessions, the verdicts counted, and findings, of
    which `more` are left out. `near_names`: names of the file that may belong to a person with another name too. A file
    that is known already adds nothing."""

    source: int
    format: str
    added: int
    known: int
    changed: tuple[int, ...]
    gone: tuple[int, ...]
    retained: int
    sessions: tuple[int, ...]
    verdicts: dict[str, int]
    findings: tuple[FindingAnswer, ...]
    more: int
    near_names: tuple[NearNamesAnswer, ...]


class ChangeAnswer(Struct, frozen=True):
    """A key of the record with its value before and after; null: not recorded."""

    key: str
    before: Any
    after: Any


class LaterDeal(Struct, frozen=True):
    """A later deal of the session whose verdict has changed."""

    deal: int
    before: str
    after: str


class CorrectionAnswer(Struct, frozen=True):
    """A correction that was stored, or not in a dry run: what it changed in the record, the verdict before, the deal as
    it is judged now, and later deals with another verdict."""

    deal: int
    stored: bool
    changes: tuple[ChangeAnswer, ...]
    before: str
    judgement: Row
    later: tuple[LaterDeal, ...]


class RulingAnswer(Struct, frozen=True):
    """A ruling that was stored, or not in a dry run. `rest`: what the payments and the pot come to; zero, unless the
    ruling itself moves the pot."""

    deal: int
    stored: bool
    rest: int
    judgement: Row
