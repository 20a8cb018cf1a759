"""Lighthouse over a lesson, as a desktop and as a phone: the browser's own scores, and what costs points."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from audit import browser, tool
from audit.finding import Finding, not_run
from audit.server import served

VERSION = "12.8.2"  # the last that runs on Node.js 18 and 20
WANTED = {"performance": 0.95, "accessibility": 1.0, "best-practices": 1.0, "seo": 1.0}
FORMS = {"desktop": ["--preset=desktop"], "mobile": []}
LESSONS = ("jit/compile",)
RUNS = 3  # of which the middle one counts: the score of a phone is simulated from this machine's speed


def findings(site: Path) -> Iterator[Finding]:
    """Each category of each form: the middle score of a few runs, and what costs it points."""
    try:
        folder = tool.package("lighthouse", VERSION)
        chromium = _chromium()
        with served(site) as url:
            for slug in LESSONS:
                for form in FORMS:
                    yield from _scores(folder, chromium, f"{url}/{slug}/", form, slug)
    except tool.MissingError as error:
        yield not_run("Lighthouse", str(error))


def _chromium() -> str:
    if path := browser.find():
        return path
    raise tool.MissingError("no Chromium or Chrome is here")


def _scores(folder: Path, chromium: str, url: str, form: str, slug: str) -> Iterator[Finding]:
    print(f"audit: Lighthouse {VERSION}, {slug}, {form}, {RUNS} times", flush=True)
    reports = [_report(folder, chromium, url, FORMS[form]) for _ in range(RUNS)]
    for name, wanted in WANTED.items():
        ordered = sorted(reports, key=lambda report: report["categories"][name]["score"])
        middle = ordered[len(ordered) // 2]
        score = middle["categories"][name]["score"]
        lost = tuple(_lost(middle, name)) if score < wanted else ()
        what = f"Lighthouse, {slug}, {form}, {name}"
        found = f"{score:.2f}"
        if name == "performance":  # Lighthouse's own measure of how busy or slow this machine is
            found += f", machine {middle['environment']['benchmarkIndex']:.0f}"
        yield Finding(what, found, f"at least {wanted:.2f}", score >= wanted, lost)


def _report(folder: Path, chromium: str, url: str, form: list[str]) -> dict[str, Any]:
    """One run's report.

    Raises:
        tool.MissingError: Lighthouse gave none.
    """
    flags = "--headless --no-sandbox --disable-gpu"  # where this runs as root, the sandbox refuses to start
    options = ["--quiet", "--output=json", f"--only-categories={','.join(WANTED)}", f"--chrome-flags={flags}"]
    words = [tool.program("node"), str(folder / "cli" / "index.js"), url, *form, *options]
    done = tool.run(words, CHROME_PATH=chromium)
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise tool.MissingError(f"Lighthouse gave no report: {tool.last(done.stderr)}") from None
    if error := report.get("runtimeError"):
        raise tool.MissingError(f"Lighthouse could not look: {error['message']}")
    return report


def _lost(report: dict[str, Any], category: str) -> Iterator[str]:
    """What costs points in a category, the heaviest first."""
    for entry in sorted(report["categories"][category]["auditRefs"], key=lambda entry: -entry["weight"]):
        audit = report["audits"][entry["id"]]
        if entry["weight"] and audit["score"] is not None and audit["score"] < 1:
            value = audit.get("displayValue", "")
            items = audit.get("details", {}).get("items", [])
            nodes = [item["node"]["selector"] for item in items if "node" in item]
            yield f"{entry['id']} {audit['score']:.2f} {value} {' '.join(nodes[:3])}".rstrip()
