"""Runs that tests share; a test that changes something works on a copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from flow import Flow, Ran, config, copy_repository, rows, write_rows


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository, so that an edit made while the tests run changes no digest under them."""
    return copy_repository(tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="session")
def sample_run(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> tuple[Flow, Ran]:
    """The default run, once, with cold caches."""
    flow = Flow(tmp_path_factory.mktemp("sample"), repository=repository)
    return flow, flow.run(cores=2)


@pytest.fixture(scope="session")
def sample(sample_run: tuple[Flow, Ran]) -> Flow:
    flow, ran = sample_run
    assert ran.code == 0, ran.text[-6000:]
    return flow


@pytest.fixture(scope="session")
def tiny_run(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Flow:
    """A finished run of the tiny benchmark with full context: no model is loaded for it."""
    folder = tmp_path_factory.mktemp("tiny")
    flow = Flow(folder, config(write_rows(folder / "tiny.json", rows())), repository=repository)
    flow.ok()
    return flow


@pytest.fixture
def tiny(tiny_run: Flow, tmp_path: Path) -> Flow:
    """A copy of that run."""
    return tiny_run.copy(tmp_path / "tiny")
