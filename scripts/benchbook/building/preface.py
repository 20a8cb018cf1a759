"""A preface: what a notebook says in words, before its cells and between them, as Markdown."""

import ast
import re
import shlex
from collections.abc import Mapping

from benchbook.blocks.catalogue import Exhibit
from benchbook.building.playback import Playback
from benchbook.lesson.cell import Cell
from benchbook.lesson.snippet import Snippet
from benchbook.reading import counted

PLAIN = re.compile(r"[^A-Za-z0-9 ,]")


def title(name: str, snippet: Snippet, lesson: str) -> str:
    """What the notebook is.

    Args:
        name: The lesson's title.
        snippet: Its docstring says more.
        lesson: Where the lesson's page is; empty where there is none.
    """
    said = ast.get_docstring(ast.parse(snippet.text)) or ""
    link = f"This is the code of [the lesson]({lesson}), which explains it." if lesson else ""
    return "\n\n".join(part for part in (f"# {name}", said, link) if part)


def offer(root: str, links: Mapping[str, str | None]) -> str:
    """How to have the notebook that a page shows.

    Args:
        root: Leads to the site's root.
        links: To its file below that, and to Colab.
    """
    colab = f", or [open it in Colab]({links['colab']})" if links["colab"] else ""
    return f"[Download this notebook]({root}{links['file']}){colab}."


def provenance(exhibit: Exhibit | None, slug: str, root: str) -> str:
    """Where the outputs come from.

    Args:
        exhibit: The run that is shown.
        slug: The lesson.
        root: Leads to the site's root.
    """
    if exhibit is None:
        return "No run of this code is recorded yet, so no cell shows an output."
    count = exhibit["processes"]
    facts = [exhibit["backend"], _inert(exhibit["device"]), f"JAX {exhibit['jax']}", exhibit["date"]]
    facts += [counted(count, "process") + (", output of the first" if count > 1 else "")]
    facts += [f"run [{exhibit['id']}]({root}runs/{slug}/#run-{exhibit['id']})"]
    if not exhibit["accepted"]:
        facts.append("**recorded on this machine, not accepted**")
    return (
        f"The outputs below were recorded: {' \u00b7 '.join(facts)}.\n\n"
        "Run a cell, and what it prints on your machine takes the place of what was recorded. "
        "Times will differ."
    )


def install(snippet: Snippet) -> str:
    """What the code needs."""
    oldest = snippet.header.minimum_jax
    version = f" It needs JAX {oldest} or newer." if oldest else ""
    command = shlex.join(["pip", "install", *snippet.header.dependencies])
    once = "\n\nIt counts what is compiled, so run its cells once, in their order, in a fresh kernel."
    return (
        f"To run it, install JAX, which brings NumPy along; Colab has both.{version}\n\n```\n{command}\n```"
        + (once if snippet.header.cold else "")
    )


def heading(cell: Cell, playback: Playback | None, root: str) -> str:
    """The name of a cell, and what there is to say of its output.

    Args:
        cell: A cell that is no exercise.
        playback: The run that is shown.
        root: Leads to the site's root.
    """
    parts = [f"## {cell.name}"]
    ran = playback.cell(cell.name) if playback else None
    if playback and ran is None:
        parts.append(
            "**No output is shown:** this cell, or one before it, changed after the run was recorded."
        )
    if ran and cell.varies:
        parts.append("What it prints differs from run to run.")
    for stream in ("stdout", "stderr") if ran else ():
        dropped = getattr(ran, f"{stream}_dropped")
        if dropped:
            parts.append(f"{dropped} more bytes were printed, and counted but not kept.")
    if playback and ran and cell.name in playback.figures:
        drawing = f"{root}{playback.figures[cell.name].light}"
        parts.append(
            f"[The figure]({drawing}) was drawn from what this cell leaves in `visual_data`; "
            "running the cell here draws nothing."
        )
    return "\n\n".join(parts)


def exercises(lesson: str) -> str:
    """What to do with the starters.

    Args:
        lesson: Where the lesson's page is; empty where there is none.
    """
    where = f" The tasks, hints and reference solutions are in [the lesson]({lesson})." if lesson else ""
    return f"## Exercises\n\nEach starter stops with an error until you replace every `...` in it.{where}"


def _inert(recorded: str) -> str:
    """Recorded text in which Markdown sees letters only."""
    return PLAIN.sub(lambda match: f"&#{ord(match[0])};", recorded)
