"""The option of the clients' tests, and the matrix that a run writes."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.clients.matrix import Cells, written
from tests.clients.runs import Client

CELLS = pytest.StashKey[Cells]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--matrix", type=Path, help="write what each client did into this file")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[CELLS] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" or report.outcome != "passed":
        client = item.callspec.params["client"]
        assert isinstance(client, Client)
        row = item.config.stash[CELLS].setdefault(client, {})
        row |= {item.originalname: report.outcome, **{name: str(value) for name, value in report.user_properties}}
    return report


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Write the matrix: not of a run that was broken off, or that left clients out, for it replaces the one of a whole run."""
    path, cells = session.config.getoption("--matrix"), session.config.stash[CELLS]
    skipped = [client.name for client, row in cells.items() if "skipped" in row.values()]
    whole = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and not skipped
    if path and cells and whole:
        path.write_text(written(cells))
    elif path:
        print(f"\n{path} stays as it is: {', '.join(skipped) or 'the run'} was not run to its end")
