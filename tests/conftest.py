"""Options of the tests."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the samples' expectations and docs/findings.md anew")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are written anew instead of compared."""
    return bool(request.config.getoption("--update"))
