"""A browser is found where people have one, installed only after it was said, and missed in words."""

import os
import sys
from pathlib import Path

import pytest

from audit import browser
from audit.browser import Way

WORKS = "#!/bin/sh\necho Chromium 1.2\n"
STUB = "#!/bin/sh\necho this is a package that asks for another >&2\nexit 1\n"


def _program(path: Path, text: str = WORKS) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def _find(environ: dict[str, str], *, own: Path | None = None, folders: tuple[Path, ...] = ()) -> str | None:
    return browser.find(browser.candidates(environ, own=lambda: str(own or "/nothing"), folders=folders))


def test_the_one_that_is_named_is_the_one(tmp_path: Path):
    """What CHROMIUM names comes first, and nothing else is taken when it does not start."""
    named, other = _program(tmp_path / "named"), _program(tmp_path / "bin" / "chromium")
    path = str(other.parent)
    assert _find({"CHROMIUM": str(named), "PATH": path}) == str(named)
    assert _find({"CHROMIUM": str(tmp_path / "gone"), "PATH": path}) is None
    assert _find({"CHROMIUM": "", "PATH": path}) == str(other)


@pytest.mark.parametrize("name", browser.NAMES)
def test_each_usual_name_is_found_on_the_path(tmp_path: Path, name: str):
    """Debian, Fedora and Google name the same program differently."""
    program = _program(tmp_path / name)
    assert _find({"PATH": str(tmp_path)}) == str(program)


def test_one_that_does_not_start_is_passed_over(tmp_path: Path):
    """A stub that only asks for a package is none, and the next place is looked at."""
    _program(tmp_path / "chromium-browser", STUB)
    chrome = _program(tmp_path / "google-chrome")
    assert _find({"PATH": str(tmp_path)}) == str(chrome)


def test_what_playwright_keeps_is_found(tmp_path: Path):
    """Without one on the path, Playwright's own is taken, and then the applications of macOS."""
    own = _program(tmp_path / "cache" / "chrome")
    application = _program(tmp_path / browser.APPLICATIONS[0])
    empty = {"PATH": str(tmp_path / "empty")}
    assert _find(empty, own=own, folders=(tmp_path,)) == str(own)
    assert _find(empty, folders=(tmp_path,)) == str(application)
    assert _find(empty) is None


def test_playwright_says_where_its_own_is():
    """Its path is absolute, and asking for it starts no browser and installs none."""
    assert Path(browser.of_playwright()).is_absolute()


def test_root_on_debian_gets_the_package_first():
    """Elsewhere nothing is installed outside the user's own folder, and nobody is asked for a password."""
    debian = browser.ways(root=True, which=lambda name: f"/usr/bin/{name}")
    assert [way.commands[-1][:2] for way in debian] == [
        ["/usr/bin/apt-get", "install"],
        [sys.executable, "-m"],
    ]
    for elsewhere in (browser.ways(root=False), browser.ways(root=True, which=lambda name: None)):
        assert [way.commands for way in elsewhere] == [
            ([sys.executable, "-m", "playwright", "install", "chromium"],)
        ]


def test_an_installation_is_announced_before_it_begins(tmp_path: Path):
    """The way that fails is named with its last words, and the next one is tried."""
    said: list[str] = []
    place = tmp_path / "chromium"
    script = f"import pathlib; pathlib.Path({str(place)!r}).write_text({said!r} or 'x')"
    fails = Way("one that fails", ([sys.executable, "-c", "print('working'); raise SystemExit('no line')"],))
    brings = Way("one that brings it", ([sys.executable, "-c", script],))
    path = browser.provide(
        lambda: str(place) if place.exists() else None, choices=[fails, brings], say=said.append
    )
    assert path == str(place)
    assert [line.removeprefix("browser: ") for line in said[1:]] == [
        "installing one that fails; this takes minutes",
        "that failed: no line",
        "installing one that brings it; this takes minutes",
        str(place),
    ]


def test_nothing_is_installed_where_one_is_there():
    """A browser that was found is named, and no way is taken."""
    said: list[str] = []
    never = Way("what nobody needs", ([sys.executable, "-c", "raise SystemExit(1)"],))
    assert browser.provide(lambda: "/there", choices=[never], say=said.append) == "/there"
    assert said == ["browser: /there"]


def test_an_installation_that_hangs_is_ended():
    """After its time it is over, with whatever it started."""
    hangs = Way("one that hangs", ([sys.executable, "-c", "import signal; signal.pause()"],))
    assert browser.attempt(hangs, seconds=0.5) == "it took longer than 0.5 seconds"


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_a_missing_browser_fails_only_in_ci(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ci: str, status: int
):
    """Elsewhere the tests that need one are skipped, and it is said how to have them."""
    monkeypatch.setitem(os.environ, "CI", ci)
    monkeypatch.setitem(os.environ, "CHROMIUM", "/nothing")
    assert browser.main() == status
    assert "CHROMIUM=/path/to/it" in capsys.readouterr().out
