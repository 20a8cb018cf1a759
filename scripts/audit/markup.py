"""The Nu HTML checker, which validator.w3.org runs too, over every page and every drawing of the site."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from audit import tool
from audit.finding import Finding, not_run

VERSION = "26.9.27"
# What is not ours to mend: the beginning of the message, a pattern of what stands there, and whose it is.
THEIRS = (
    (r"Attribute .autocomplete. is only allowed", r"md-toggle", "Material's switches of menu and search"),
    (r"Bad value .. for attribute .tabindex.", r"md-nav__link", "Material's labels of sections"),
    (r"The value of the .for. attribute", r"md-nav__title", "Material's label where a page has no contents"),
    (r"A .style. element in .body.", r"<style>", "mkdocs-jupyter appends one below each notebook"),
)


def findings(site: Path) -> Iterator[Finding]:
    """Errors in pages and in drawings that are ours."""
    try:
        jar = tool.package("vnu-jar", VERSION) / "build" / "dist" / "vnu.jar"
        java = tool.program("java", "-version")
        for kind, name in (("html", "pages"), ("svg", "drawings")):
            files = sorted(site.rglob(f"*.{kind}"))
            print(f"audit: Nu HTML checker {VERSION}, {len(files)} {name}", flush=True)
            yield _judged(site, name, _messages(java, jar, [f"--{kind}", *map(str, files)]), len(files))
    except tool.MissingError as error:
        yield not_run("Nu HTML checker", str(error))


def _messages(java: str, jar: Path, words: list[str]) -> list[dict[str, Any]]:
    """What the checker says.

    Raises:
        tool.MissingError: It said nothing that can be read.
    """
    done = tool.run([java, "-jar", str(jar), "--format", "json", "--exit-zero-always", *words])
    try:
        found: list[dict[str, Any]] = json.loads(done.stderr)["messages"]
    except (ValueError, KeyError):
        raise tool.MissingError(f"the checker gave no report: {tool.last(done.stderr)}") from None
    return found


def _judged(site: Path, name: str, messages: list[dict[str, Any]], files: int) -> Finding:
    errors = [message for message in messages if message["type"] != "info"]
    theirs = Counter(filter(None, map(whose, errors)))
    ours = [message for message in errors if whose(message) is None]
    found = f"{len(ours)} errors in {files}"
    if theirs:
        found += f", and {theirs.total()} that are not ours"
    details = tuple(f"{_place(site, message)}: {message['message']}" for message in ours)
    return Finding(f"Nu HTML checker, {name}", found, "0 errors", not ours, details)


def whose(message: dict[str, Any]) -> str | None:
    """Whose a message is; ``None`` when it is ours."""
    for beginning, pattern, owner in THEIRS:
        if re.match(beginning, message["message"]) and re.search(pattern, message.get("extract", "")):
            return owner
    return None


def _place(site: Path, message: dict[str, Any]) -> str:
    name = message.get("url", "").removeprefix("file:").removeprefix(f"{site}/")
    return f"{name}:{message.get('lastLine', 1)}"
