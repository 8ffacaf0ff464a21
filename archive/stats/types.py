"""A standard question and its parts: cases, facts that are counted once from them, and the question over these."""

from msgspec import Struct


class Cases(Struct, frozen=True, kw_only=True):
    """Rows from which facts are counted, one for each case: a seat, a hand.

    `sql` gives `keys` and then `sums`; it reads deals as `d`, and has the place `{where}` for a restriction of them.
    When everything is counted, cases with the same keys first become one row, in a temporary table: all facts of the
    same cases are counted from it. Keys are numbers rather than names, since those of a row take less time.
    """

    name: str
    keys: tuple[str, ...]
    sums: tuple[str, ...]
    sql: str


class Facts(Struct, frozen=True, kw_only=True):
    """Counts over deals, kept as a table of their own where an index is not enough.

    `keys` are columns that are grouped by, with their SQL types; `sums` are columns that add up, so that the counts of
    parts of an archive are those of the whole; of those that are `highest` the highest one is that of the whole.
    `sql` gives all of them in this order; it reads deals as `d`, and has the place `{where}` for a restriction of them,
    or reads cases as `c` from the place `{cases}`. `by` is what a row is of besides its keys: a block of deals that
    follow each other, a player (one name), a person (all names, for what does not add up), a session, or a block of
    deals with analyses; only what an import touches is counted again. Those `of_analyses` are also counted again where
    an analysis came or went. Those that are `own` read seats as `s`, are of the seats of one player alone, and are kept
    of large parts only. Of those that add cases up, `columns` has the expression of each key and sum.
    """

    name: str
    says: str
    by: str = "block"  # or player, person, session, analysed
    keys: dict[str, str]
    sums: tuple[str, ...]
    highest: tuple[str, ...] = ()
    of_analyses: bool = False
    own: bool = False
    of: Cases | None = None
    columns: dict[str, str] = {}
    sql: str


class Question(Struct, frozen=True, kw_only=True):
    """A standard question: a view of that name, and a prepared query that can be narrowed.

    `sql` reads the tables of `facts` and has the place `{only}` in its WHERE clause, for the columns in `narrow`.
    `derived` are those of the tables that, asked of a part, are made of the ones before them, by SQL, and not counted.
    `needs` are the rows of `NEEDS` in questions/coverage.py without which a deal does not count. `size` is the
    column with the number of cases behind a row.
    """

    name: str
    subject: str  # the heading under which it stands
    facts: tuple[str, ...]
    derived: tuple[tuple[str, str], ...] = ()
    narrow: tuple[str, ...] = ("rules", "contract")
    needs: tuple[str, ...]
    sql: str
    size: str = "decided"
    chart: str = "shares"  # the name of its picture
    adds: bool = True  # it adds up rows of facts with the same keys; otherwise they are added up for it
