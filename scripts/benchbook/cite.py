"""Citing a run: one line of text, BibTeX, and a permalink. The digest is what makes a citation checkable."""

import re
from typing import Any

import yaml
from yaml_env_tag import construct_env_tag

from benchbook import terminal
from benchbook.archive import FILE_NAME, Stored
from benchbook.building import exhibit
from benchbook.errors import UsageError
from benchbook.pages.mapping import WRONG
from benchbook.project import Project

NAME = "JAX, measured"
PREFIX = re.compile(r"[0-9a-f]{6,64}")
SHORT = 12
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
}
# http or https, a host and a path: what robots.txt, a sitemap, LaTeX and Markdown can all hold as it is.
ADDRESS = re.compile(
    r"https?://(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?"
    r"(?:/(?!\.\.?(?:/|$))(?:[A-Za-z0-9._~!,;=:@+-]|%[0-9A-Fa-f]{2})*)*"
)
NO_ADDRESS = "this copy of the site has no address set"


class _Loader(yaml.SafeLoader):
    """MkDocs' YAML: ``!ENV`` is read; tags that name Python objects become nothing and run nothing."""


_Loader.add_constructor("!ENV", construct_env_tag)
_Loader.add_multi_constructor("", lambda loader, suffix, node: None)


def site_url(project: Project) -> str:
    """The address of the site, from ``site_url`` in mkdocs.yml, with a slash at its end; empty when unset.

    Raises:
        UsageError: mkdocs.yml is not YAML, or what it or the variable SITE_URL says is no address.
    """
    path = project.root / "mkdocs.yml"
    if not path.exists():
        return ""
    try:
        settings: Any = yaml.load(path.read_text(encoding="utf-8"), _Loader)  # noqa: S506 - a SafeLoader
    except WRONG as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        raise UsageError("not valid YAML", path="mkdocs.yml", line=line, mend="correct it") from error
    address = settings.get("site_url") if isinstance(settings, dict) else None
    if not address:
        return ""
    if not isinstance(address, str) or not ADDRESS.fullmatch(address):
        message = f"site_url, which SITE_URL may set, is {address!r}"
        mend = "write it as in https://example.org/path/, without ? and #, other characters as %20"
        raise UsageError(message, path="mkdocs.yml", mend=mend)
    return f"{address.rstrip('/')}/"


def permalink(stored: Stored, url: str) -> str:
    """Where the run stands on the site: an address, or without ``url`` the path below it."""
    return f"{url}runs/{stored.run.slug}/#run-{stored.id}"


def text(stored: Stored, url: str) -> str:
    """One line that names the run, where to read it, and how to check it."""
    place = permalink(stored, url)
    what = f"{NAME}: {_subject(stored)} ({_setting(stored)})"
    return f"{what}, recorded {stored.run.started[:10]}, run {stored.id}. {place}. sha256:{stored.digest}"


def bibtex(stored: Stored, url: str) -> str:
    """A ``@misc`` entry; its key is ``jaxmeasured-<id12>``."""
    year, month = stored.run.started[:4], MONTHS[int(stored.run.started[5:7]) - 1]
    place = rf"\url{{{permalink(stored, url)}}}" if url else latex(permalink(stored, url))
    note = f"{_setting(stored)}, recorded {stored.run.started[:10]}, run {stored.id}, sha256:{stored.digest}"
    return "\n".join(
        (
            f"@misc{{jaxmeasured-{stored.id},",
            f"  author = {{{{{latex(NAME)}}}}},",
            f"  title = {{{{{latex(f'{NAME}: {_subject(stored)}')}}}}},",
            f"  year = {{{year}}},",
            f"  month = {month},",
            f"  howpublished = {{{place}}},",
            f"  note = {{{latex(note)}}},",
            "}",
        )
    )


def latex(words: str) -> str:
    """Text in which LaTeX sees nothing but letters."""
    return "".join(LATEX.get(character, character) for character in words)


def find(project: Project, word: str) -> Stored:
    """The run that a person means.

    Args:
        project: The checkout.
        word: At least six digits of an id, a digest, a run's file name, or a path to it.

    Raises:
        UsageError: There is none, or several.
        RunError: The file is not right.
    """
    found = [
        path
        for folder in (
            project.runs,
            project.local_runs,
        )  # where a run lies in both, the accepted one is meant
        for path in sorted(folder.glob("*/*/*.json"))
        if (match := FILE_NAME.fullmatch(path.name)) and _means(word, path.name, match["id"])
    ]
    names = sorted({path.name for path in found})
    if not found:
        raise UsageError(f"no run is {word!r}", mend="give six or more digits of its id, or its file name")
    if len(names) > 1:
        raise UsageError(f"{word!r} may be {' or '.join(names)}", mend="give more digits")
    stored = Stored.load(found[0], shown=project.relative(found[0]))
    if PREFIX.fullmatch(word) and not stored.digest.startswith(word):
        raise UsageError(f"no run is {word!r}", mend=f"{stored.id} starts alike and ends differently")
    return stored


def _means(word: str, name: str, run_id: str) -> bool:
    if PREFIX.fullmatch(word):
        return run_id.startswith(word[:SHORT])
    return re.split(r"[/\\]", word)[-1] == name


def _subject(stored: Stored) -> str:
    return f"{stored.run.slug} on {stored.run.backend}"


def _setting(stored: Stored) -> str:
    device = " ".join(terminal.pictured(exhibit.device(stored.run.hardware)).split())
    return f"{device}, JAX {stored.run.environment.jax}"
