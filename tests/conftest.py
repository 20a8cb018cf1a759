"""Fixtures that every module may use. The site is built once, and one browser reads it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from benchbook.project import Project
from tests import address, built
from tests.browser import Visitor, chromium, served
from tests.factory import make_project

SOAK = bool(os.environ.get("SOAK"))  # `make soak`: campaigns run whole that tests sample
settings.register_profile("soak", max_examples=2_000, deadline=None)
if SOAK:
    settings.load_profile("soak")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with one snippet, in a folder of its own."""
    return make_project(tmp_path / "project")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once from the committed runs. Tests only read it."""
    return built.build(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def addresses(site: Path) -> list[str]:
    """The path of every page that was built, below the site's root."""
    return built.addresses(site)


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is built for an address below a host's root. Tests only read it."""
    return address.build(tmp_path_factory.mktemp("published"))


@pytest.fixture(scope="session")
def url(site: Path) -> Iterator[str]:
    """Where the site is served, without a last slash."""
    with served(site) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser, url: str) -> Iterator[Visitor]:
    """Opens a path of the site: ``visit("/", scheme="dark", width=320)``."""
    visitor = Visitor(browser, url)
    yield visitor
    visitor.leave()
