"""A dictionary over the prose: every word of the Markdown is English, or stands in words.txt."""

from collections.abc import Iterator
from pathlib import Path

from audit import tool
from audit.finding import Finding, not_run
from benchbook.project import find

VERSION = "9.8.0"  # the last that runs on Node.js 20
SETTINGS = Path(__file__).with_name("cspell.json")
WRITTEN = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


def findings(_: Path) -> Iterator[Finding]:
    """Words that neither the dictionary nor our own list has."""
    try:
        folder = tool.package("cspell", VERSION)
        pages = prose()
        print(f"audit: cspell {VERSION}, {len(pages)} files", flush=True)
        options = ["--no-progress", "--no-summary", "--no-color", "--unique", f"--config={SETTINGS}"]
        done = tool.run([tool.program("node"), str(folder / "bin.mjs"), "lint", *options, *pages])
    except tool.MissingError as error:
        yield not_run("Dictionary", str(error))
        return
    unknown = tuple(done.stdout.splitlines())
    if not unknown and done.returncode:
        yield not_run("Dictionary", tool.last(done.stderr))
        return
    found = f"{len(unknown)} unknown words in {len(pages)} files"
    yield Finding("Dictionary, Markdown", found, "0", not unknown, unknown)


def prose() -> list[str]:
    """The Markdown that is written by hand."""
    project = find(tool.ROOT)
    return [*WRITTEN, *map(project.relative, project.pages())]
