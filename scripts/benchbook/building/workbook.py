"""A workbook: a notebook's cells, from a snippet and from a run of it, and the file that holds them.

Code comes from the snippet, outputs from the run. Nothing in it depends on the moment of the build, and no
comment of the code becomes a command of IPython.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import nbformat
import yaml

from benchbook.building import preface
from benchbook.building.playback import Playback
from benchbook.lesson import exercise
from benchbook.lesson.snippet import Snippet

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
LONGEST = 64  # characters of a cell's id
STARTER = ("exercise", "raises-exception")  # the second lets a run of all cells go on after it
Links = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Workbook:
    """What a notebook is made of.

    Attributes:
        snippet: The lesson's code.
        title: The lesson's title.
        has_page: Whether the lesson has a page to lead to.
        playback: What is shown as output, where there is a run.
    """

    snippet: Snippet
    title: str
    _: KW_ONLY
    has_page: bool
    playback: Playback | None


def spell(book: Workbook, *, root: str, offered: Links | None = None) -> bytes:
    """The notebook as a file; the same book gives the same bytes.

    Args:
        book: What it holds.
        root: Leads from it to the site's root, with a slash at its end.
        offered: For a notebook that is to be a page: where its file is, and Colab.
    """
    run = book.playback.exhibit["id"] if book.playback else None
    origin = {"slug": book.snippet.slug, "source": book.snippet.sha256, "run": run}
    tree = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "benchbook": origin,
            "kernelspec": KERNEL,
            "language_info": {"name": KERNEL["language"]},
            "title": book.title,
        },
        "cells": [*_words(book, root, offered), *_code_cells(book, root)],
    }
    text: str = nbformat.writes(nbformat.from_dict(tree))  # type: ignore[no-untyped-call] # it has no types
    return f"{text}\n".encode()


def _words(book: Workbook, root: str, offered: Links | None) -> Iterator[dict[str, Any]]:
    exhibit = book.playback.exhibit if book.playback else None
    if offered is not None:
        yield _markdown("Settings", _front_matter(book.title))
    yield _markdown("Title", preface.title(book.title, book.snippet, _lesson(book, root)))
    if offered is not None:
        yield _markdown("Offer", preface.offer(root, offered))
    yield _markdown("Provenance", preface.provenance(exhibit, book.snippet.slug, root))
    yield _markdown("Install", preface.install(book.snippet))


def _front_matter(title: str) -> str:
    """The settings of a page, which mkdocs-jupyter takes out of the first cell."""
    front = {
        "title": f"{title}: notebook",
        "description": f"The code of the lesson as a notebook, with recorded outputs: {title}.",
        "search": {"exclude": True},
    }
    return f"---\n{yaml.safe_dump(front, allow_unicode=True, sort_keys=False, width=1000)}---"


def _code_cells(book: Workbook, root: str) -> Iterator[dict[str, Any]]:
    """The lesson's cells, then a starter for each exercise: a learner's notebook holds no solution."""
    for cell in book.snippet.cells:
        if not cell.solution:
            outputs = book.playback.outputs(cell.name) if book.playback else []
            yield _markdown(f"Heading-{cell.name}", preface.heading(cell, book.playback, root))
            yield _code(cell.name, cell.source, tags=cell.tags, outputs=outputs)
    starters = exercise.starters(book.snippet)
    if starters:
        yield _markdown("Exercises", preface.exercises(_lesson(book, root)))
    for name, source in starters.items():
        yield _markdown(f"Heading-{name}", f"### {name}")
        yield _code(name, source, tags=STARTER, outputs=[])


def _lesson(book: Workbook, root: str) -> str:
    return f"{root}{book.snippet.slug}/" if book.has_page else ""


def _markdown(name: str, source: str) -> dict[str, Any]:
    """A cell of words; their names have a capital letter, which no name of a code cell has."""
    return {"cell_type": "markdown", "id": _id(name), "metadata": {}, "source": source}


def _code(
    name: str, source: str, *, tags: Sequence[str], outputs: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    metadata = {"name": name} | ({"tags": list(tags)} if tags else {})
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _id(name),
        "metadata": metadata,
        "outputs": list(outputs),
        "source": source,
    }


def _id(name: str) -> str:
    """A cell's id: its name, with a digest in place of what is too long."""
    digest = hashlib.sha256(name.encode()).hexdigest()[:12]
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 13]}-{digest}"
