"""Fixtures that every module may use. The site is built once, and one browser a process reads it."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from benchbook.project import Project
from tests import address, built, side
from tests.browser import Visitor, chromium, served
from tests.factory import make_project

SOAK = bool(os.environ.get("SOAK"))  # `make soak`: campaigns run whole that tests sample
settings.register_profile("soak", max_examples=2_000, deadline=None)
if SOAK:
    settings.load_profile("soak")
MACHINE = pytest.StashKey[side.Machine]()
MOST = 4  # processes side by side: each has a browser, and most of what they start uses two cores


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """How many processes run the tests of `make test`."""
    return min(os.cpu_count() or 1, MOST)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hands the tests out by units, the longest first."""
    from xdist.scheduler import LoadScopeScheduling

    class ByUnit(LoadScopeScheduling):
        _split_scope = staticmethod(side.unit)

    config.option.loadscopereorder = False
    return ByUnit(config, log)


def pytest_configure(config: pytest.Config) -> None:
    """In one of several processes: the locks of the machine that they share."""
    if told := getattr(config, "workerinput", None):
        config.stash[MACHINE] = side.Machine(Path(told["locks"]))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tells a process where the locks of this run lie."""
    if not hasattr(node.config, "locks"):
        node.config.locks = tempfile.TemporaryDirectory()
        node.config.add_cleanup(node.config.locks.cleanup)
    node.workerinput["locks"] = node.config.locks.name


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest come first; the others stay in their order."""
    items.sort(key=lambda item: side.rank(item.nodeid))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A test uses the machine beside others, from its first fixture to its last."""
    machine = item.config.stash.get(MACHINE, None)
    if machine is None:
        return (yield)
    machine.enter()
    try:
        return (yield)
    finally:
        machine.leave()


@pytest.fixture(scope="session", autouse=True)
def temporary() -> Iterator[None]:
    """Temporary files go to a folder of this process: recorders wait for others that have the same one."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("TMPDIR", folder)
        yield


@pytest.fixture
def alone(request: pytest.FixtureRequest) -> None:
    """Nothing else of this run uses the machine until the test ends: for tests that compare times."""
    if machine := request.config.stash.get(MACHINE, None):
        machine.enter(alone=True)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with one snippet, in a folder of its own."""
    return make_project(tmp_path / "project")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once from the committed runs. Tests only read it."""
    return side.once(tmp_path_factory, "site", built.build)


@pytest.fixture(scope="session")
def addresses(site: Path) -> list[str]:
    """The path of every page that was built, below the site's root."""
    return built.addresses(site)


@pytest.fixture(scope="session")
def published(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is built for an address below a host's root. Tests only read it."""
    assert site.exists()  # and the checkout, which is copied, is no longer being built
    return side.once(tmp_path_factory, "published", address.build)


@pytest.fixture(scope="session")
def url(site: Path) -> Iterator[str]:
    """Where the site is served, without a last slash."""
    with served(site) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a process."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser, url: str) -> Iterator[Visitor]:
    """Opens a path of the site: ``visit("/", scheme="dark", width=320)``."""
    visitor = Visitor(browser, url)
    yield visitor
    visitor.leave()
