"""`make audit`: the built site through the eyes of other people's tools; a table says what falls short.

The browser's tests need a browser, Lighthouse needs Node.js and a browser, the Nu HTML checker Node.js (for
npm, which brings it) and Java, the dictionary Node.js. What is not here is not run, and said so; under `CI`
that fails too.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from audit import dictionary, lighthouse, markup
from audit.finding import Finding, status, table

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent


def browser_tests(_: Path) -> Iterable[Finding]:
    """The tests that drive a browser over the site; they say themselves what they miss."""
    done = subprocess.run([sys.executable, "-m", "pytest", "-m", "browser", "-q"], cwd=ROOT, check=False)
    found = "all pass" if done.returncode == 0 else "see above"
    yield Finding("Browser tests", found, "all pass", done.returncode == 0)


AUDITS: dict[str, Callable[[Path], Iterable[Finding]]] = {
    "browser": browser_tests,
    "lighthouse": lighthouse.findings,
    "markup": markup.findings,
    "dictionary": dictionary.findings,
}


def build(folder: Path) -> None:
    """Builds the site from the committed runs, as it is served from the root of a host."""
    environment = {name: value for name, value in os.environ.items() if name != "SITE_URL"}
    for words in (
        ["benchbook", "build"],
        ["mkdocs", "build", "--strict", "--site-dir", str(folder)],
    ):
        done = subprocess.run([BIN / words[0], *words[1:]], cwd=ROOT, env=environment, check=False)
        if done.returncode != 0:
            sys.exit(f"audit: {' '.join(words[:2])} failed, so there is no site to look at")


def main(names: list[str]) -> int:
    """Runs the audits that were named, or all of them; gives the exit status."""
    unknown = sorted(set(names) - set(AUDITS))
    if unknown:
        sys.exit(f"no audit is named {unknown[0]!r}; choose from {', '.join(AUDITS)}")
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        build(site)
        findings = [finding for name in names or AUDITS for finding in AUDITS[name](site)]
    print(table(findings))
    return status(findings, strict=bool(os.environ.get("CI")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
