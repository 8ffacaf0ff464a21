"""Whatever is sent to `/api/v1`, by Schemathesis out of its own OpenAPI document: every answer is one that the document
tells, and none is a failure of the server. Ten thousand requests in a thorough run, some hundreds else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.doors import add_accounts, bearer, writing_app
from support.thorough import examples
from support.web_archive import make_archive

from archive.web.api.endpoints import ENDPOINTS
from archive.web.api.routes import LIMITS
from archive.web.doors.throttle import Throttle

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture
def described(tmp_path: Path) -> Iterator[Any]:
    """The document, of a server that a referee asks."""
    path = make_archive(tmp_path / "archive.db")
    add_accounts(path, Resi="referee")
    with writing_app(path) as (app, doors):
        app.config["API_THROTTLE"] = Throttle(dict.fromkeys(LIMITS, 10**6))
        yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app), bearer(doors, "Resi")


def test_any_request_has_an_answer_that_the_document_tells(described: Any) -> None:
    document, token = described
    operations = [each.ok() for each in document.get_all_operations()]
    assert len(operations) == len(ENDPOINTS)

    @given(case=st.one_of(*(each.as_strategy() for each in operations)))
    @settings(max_examples=examples(40, 10_000), deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def send(case: Any) -> None:
        case.call_and_validate(checks=CHECKS, headers=token)

    send()
