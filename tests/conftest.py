"""Fixtures that every module may use."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from benchbook.project import Project
from tests.factory import make_project

SOAK = bool(os.environ.get("SOAK"))  # `make soak`: campaigns run whole that tests sample
settings.register_profile("soak", max_examples=2_000, deadline=None)
if SOAK:
    settings.load_profile("soak")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with one snippet, in a folder of its own."""
    return make_project(tmp_path / "project")
