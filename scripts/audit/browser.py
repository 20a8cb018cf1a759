"""The browser of the tests and the audit: one that is there, or one that is installed, which is said first.

Run as a script it does both, prints what it did, and fails only under ``CI``. Imported it only looks.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPLICATIONS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
)
FOLDERS = (Path("/Applications"), Path.home() / "Applications")
ASK_PLAYWRIGHT = """from playwright.sync_api import sync_playwright
with sync_playwright() as playwright: print(playwright.chromium.executable_path)"""
STARTS_WITHIN = 60  # seconds that a browser may take to state its version, on a machine with other work
INSTALLS_WITHIN = 600  # seconds for one installation; a line that brings nothing is given up on
HINT = "install Chromium or Chrome, or say where one is with CHROMIUM=/path/to/it"


@dataclass(frozen=True)
class Way:
    """One way to install a browser.

    Attributes:
        what: What it brings and from where, as it is announced.
        commands: What is run, in order, until one fails.
    """

    what: str
    commands: tuple[list[str], ...]


def of_playwright() -> str:
    """Where Playwright keeps the browser of its version, whether it is there or not.

    It is asked in a process of its own: a caller may be in the middle of driving another browser.
    """
    return subprocess.check_output([sys.executable, "-c", ASK_PLAYWRIGHT], text=True).strip()


def candidates(
    environ: Mapping[str, str],
    *,
    own: Callable[[], str] = of_playwright,
    folders: Sequence[Path] = FOLDERS,
) -> Iterator[str]:
    """Where a browser may be: only the place that ``CHROMIUM`` names, or all the usual ones.

    Args:
        environ: ``CHROMIUM`` and ``PATH`` are read from it.
        own: Gives the path of Playwright's browser; asked only after ``PATH``, since it starts a process.
        folders: Where macOS keeps applications.
    """
    if named := environ.get("CHROMIUM"):
        yield named
        return
    found = (shutil.which(name, path=environ.get("PATH", os.defpath)) for name in NAMES)
    yield from filter(None, found)
    yield own()
    yield from (str(folder / application) for folder in folders for application in APPLICATIONS)


def works(path: str) -> bool:
    """Whether a browser starts: a stub that asks for a package does not, nor one that lacks libraries."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=STARTS_WITHIN, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def find(paths: Iterable[str] | None = None) -> str | None:
    """The first path at which a browser works; without ``paths``, of those where one may be here."""
    return next(filter(works, candidates(os.environ) if paths is None else paths), None)


def ways(*, root: bool, which: Callable[[str], str | None] = shutil.which) -> list[Way]:
    """How one can be installed here, the surest way first.

    Debian's package brings the libraries along, but needs root. Playwright's goes into the user's own cache.
    """
    playwright = [sys.executable, "-m", "playwright", "install", "chromium"]
    apt = which("apt-get")
    if not (root and apt):
        return [Way("Playwright's Chromium, into your cache folder", (playwright,))]
    install = [apt, "install", "--yes", "--quiet=2", "--no-install-recommends", "chromium"]
    return [
        Way("the package chromium, with apt-get", ([apt, "update", "--quiet=2"], install)),
        Way("Playwright's Chromium and the packages that it needs", ([*playwright, "--with-deps"],)),
    ]


def attempt(way: Way, *, seconds: float = INSTALLS_WITHIN) -> str | None:
    """Installs; gives the last line that was printed when that failed, and ends what takes too long."""
    for command in way.commands:
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
            start_new_session=True,  # so that what it started in turn can be ended too
        ) as process:
            try:
                said, _ = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                return f"it took longer than {seconds:g} seconds"
        if process.returncode != 0:
            return (said.strip().splitlines() or ["it said nothing"])[-1]
    return None


def provide(
    look: Callable[[], str | None] = find, *, choices: Sequence[Way], say: Callable[[str], None]
) -> str | None:
    """A browser that works: one that is there, or else the first that could be installed."""
    if path := look():
        say(f"browser: {path}")
        return path
    say(f"browser: none that starts is here; looked for {', '.join(NAMES)}")
    for way in choices:
        say(f"browser: installing {way.what}; this takes minutes")
        if failure := attempt(way):
            say(f"browser: that failed: {failure}")
        elif path := look():
            say(f"browser: {path}")
            return path
        else:
            say("browser: installed, but it does not start: libraries may be missing")
    return None


def main() -> int:
    """The exit status: under ``CI`` a browser is required, elsewhere its tests are skipped without one."""
    choices = [] if os.environ.get("CHROMIUM") else ways(root=os.geteuid() == 0)  # a wrong name is corrected
    if provide(choices=choices, say=lambda line: print(line, flush=True)):
        return 0
    print(f"browser: the tests that need one are skipped; {HINT}")
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
