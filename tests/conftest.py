"""Fixtures that every module may use."""

from pathlib import Path

import pytest

from benchbook.project import Project
from tests.factory import make_project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with one snippet, in a folder of its own."""
    return make_project(tmp_path / "project")
