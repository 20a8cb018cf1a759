"""The document that is being made: which page it is, by whom, and how its links are spelled.

MkDocs and ProperDocs give a page's file to their own tree processor, Zensical to its own preprocessor.
"""

import functools
import posixpath
from importlib import import_module
from pathlib import Path

from markdown import Markdown

from benchbook.errors import BenchbookError
from benchbook.project import Project, find


def path(md: Markdown) -> str | None:
    """The page below ``docs``, as in ``jit/compile.md``; ``None`` where nobody says."""
    if "relpath" in md.treeprocessors:
        file = getattr(md.treeprocessors["relpath"], "file", None)
        return None if file is None or file.abs_src_path is None else str(file.src_uri)
    if "rendering_context" in md.preprocessors:
        return str(md.preprocessors["rendering_context"].page.path)  # type: ignore[attr-defined] # Zensical's own
    return None


def link(md: Markdown, target: str) -> str:
    """A link to a file below ``docs``, with its fragment: relative to the page, where the page is known."""
    page = path(md)
    return f"/{target}" if page is None else posixpath.relpath(target, posixpath.dirname(page))


@functools.cache
def project(folder: Path) -> Project:
    """The project of a working directory, found once."""
    return find(folder)


def source(md: Markdown, text: str) -> tuple[str, int]:
    """The page as messages spell it, and how many lines of front matter were cut off its text."""
    name = path(md)
    if name is None:
        return "page", 0
    here = project(Path.cwd())
    file = here.docs / name
    if not file.is_file():  # a page that a plugin made
        return "page", 0
    whole = file.read_text(encoding="utf-8-sig").rstrip()
    return here.relative(file), max(whole.count("\n") - text.rstrip().count("\n"), 0)


def refusal(md: Markdown, error: BenchbookError) -> Exception:
    """The error as MkDocs and ProperDocs show it without a traceback; as it is for any other caller."""
    if "relpath" not in md.treeprocessors:
        return error
    generator = type(md.treeprocessors["relpath"]).__module__.partition(".")[0]
    kind: type[Exception] = import_module(f"{generator}.exceptions").BuildError
    return kind(str(error))
