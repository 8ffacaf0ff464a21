"""Wrong requests that Datasette would answer with an error of its own (500)."""

from http import HTTPStatus
from typing import Any

from datasette.views.base import DatasetteError  # type: ignore[import-untyped]

THROUGH_TAKES = '_through takes JSON: {"table": a table, "column": a column of it, "value": what is in it}.'
# Parameters that Datasette reads unchecked, and what each must be.
TAKES = {"_through": THROUGH_TAKES, "_next": "_next takes what the page before has in its link, and nothing else."}


def refusal_of(request: Any, exception: Exception) -> Any:
    """Return the refusal that a request gets in place of an error of Datasette; None if it is an error indeed."""
    if isinstance(exception, DatasetteError) and exception.status == HTTPStatus.INTERNAL_SERVER_ERROR:
        return DatasetteError(exception.message, title=exception.title, status=400)  # an order by what is no column
    if isinstance(exception, ValueError | LookupError | TypeError):
        taken = [words for name, words in TAKES.items() if name in request.args]
        return DatasetteError(" ".join(taken), status=400) if taken else None
    return None
