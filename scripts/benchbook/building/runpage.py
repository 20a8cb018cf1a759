"""A run page: every run of one lesson, whole, as Markdown whose recorded parts are inert HTML."""

from collections.abc import Collection, Mapping, Sequence

from benchbook import archive, cite
from benchbook.archive import Stored
from benchbook.building import dossier
from benchbook.building.markup import block, code, element, text
from benchbook.building.site import Files, Site
from benchbook.building.sources import Lesson
from benchbook.freshness import fresh_cells, stands_for
from benchbook.lesson.cell import Cell

FRONT = """\
---
title: "Runs of {slug}"
description: "Every recorded run of {slug}: source, machine, method, output, samples, digest and citation."
search:
  exclude: true
---

# Runs of {slug}
"""


def path(slug: str) -> str:
    """Where the page of a lesson lies below ``docs/``."""
    return f"runs/{slug}/index.md"


def files(site: Site) -> Files:
    """The run page of each lesson that has runs."""
    return {f"docs/{path(lesson.slug)}": _page(site, lesson) for lesson in site.lessons if lesson.runs}


def _page(site: Site, lesson: Lesson) -> bytes:
    current = archive.current(lesson.runs, lesson.cells or (), without=site.retracted)
    return markdown(
        lesson.slug,
        lesson.runs,
        cells=lesson.cells,
        retracted=site.retracted,
        url=site.url,
        current={stored.id for stored in current.values()},
        local=lesson.local,
        lesson=site.project.page_path(lesson.slug).exists(),
    ).encode()


def markdown(
    slug: str,
    runs: Sequence[Stored],
    *,
    cells: Sequence[Cell] | None,
    retracted: Mapping[str, str],
    url: str,
    current: Collection[str] = (),
    local: Collection[str] = (),
    lesson: bool = False,
) -> str:
    """The page of one lesson.

    Args:
        slug: The lesson.
        runs: One or more runs of it.
        cells: The snippet's cells now, or ``None`` where there is no snippet any more.
        retracted: Reasons by id.
        url: The site's address, or "".
        current: Ids of the runs that pages show.
        local: Ids of runs that were not accepted: the site does not hold their files.
        lesson: Whether the lesson has a page to link to.
    """
    order = sorted(runs, key=lambda one: (one.id in current, one.run.started, one.digest), reverse=True)
    link = f"[The lesson](../../../{slug}.md) shows the current ones.\n" if lesson else ""
    parts = [
        FRONT.format(slug=slug),
        f"{_count(len(runs))}: what pages show, then the others, newest first.\n{link}",
    ]
    showing: dict[str, str] = {}  # by digest of a source: the run that shows it
    for stored in order:
        same = showing.setdefault(stored.run.source.sha256, stored.id)
        is_local = stored.id in local
        notices = [] if stored.id not in current else [_notice("Current", "pages show this run.")]
        notices += _notices(stored, cells=cells, reason=retracted.get(stored.id), local=is_local)
        parts += [_heading(stored), _section([*notices, *_body(stored, same=same, url=url, local=is_local)])]
    return "\n".join(parts)


def _count(runs: int) -> str:
    return "One run" if runs == 1 else f"{runs} runs"


def _heading(stored: Stored) -> str:
    run = stored.run  # these fields have patterns in the run model: none can hold Markdown
    return f"## {run.backend}, JAX {run.environment.jax}, {run.started[:10]} {{ #run-{stored.id} }}\n"


def _section(parts: Sequence[str]) -> str:
    return element("div", *parts, class_="run") + "\n"


def _notices(stored: Stored, *, cells: Sequence[Cell] | None, reason: str | None, local: bool) -> list[str]:
    notices = []
    if reason is not None:
        notices.append(_notice("Retracted", reason))
    if local:
        notices.append(_notice("Not accepted", "a run of this machine; the site does not hold its file."))
    if cells is None:
        notices.append(_notice("Stale", "the lesson's snippet is no longer there."))
    elif changed := _changed(stored, cells):
        notices.append(_notice("Stale", f"the lesson changed after this run: {', '.join(changed)}."))
    elif not stands_for(stored.run.source.text, cells):
        notices.append(_notice("Stale", "the lesson no longer has a cell that this run executed."))
    return notices


def _changed(stored: Stored, cells: Sequence[Cell]) -> list[str]:
    fresh = fresh_cells(stored.run.source.text, cells)
    return [cell.name for cell in cells if cell.name not in fresh]


def _notice(word: str, reason: str) -> str:
    return element("p", element("strong", text(f"{word}:")), " ", text(reason), class_="run-notice")


def _body(stored: Stored, *, same: str, url: str, local: bool) -> list[str]:
    parts = [_part("Cite this run", _citing(stored, url)), _part("The file", _file(stored, local=local))]
    sections = dossier.sections(stored, served=not local, same=None if same == stored.id else same)
    return parts + [_part(title, body) for title, body in sections if body]


def _part(title: str, body: str) -> str:
    return element("h3", text(title)) + body


def _citing(stored: Stored, url: str) -> str:
    unset = "" if url else element("p", text(f"The permalink is a path: {cite.NO_ADDRESS}."))
    entries = {
        "As text": cite.text(stored, url),
        "BibTeX": cite.bibtex(stored, url),
        "Permalink": cite.permalink(stored, url),
        "sha256 of the run file": stored.digest,
    }
    return (
        "".join(element("p", text(name)) + block(entry, wraps=True) for name, entry in entries.items())
        + unset
    )


def _file(stored: Stored, *, local: bool) -> str:
    name = stored.path.name
    link = code(name) if local else element("a", code(name), href=name)
    shown = element(
        "p", link, text(": the run as JSON, never edited. "), code(f"sha256sum {name}"), text(" prints:")
    )
    return shown + block(f"{stored.digest}  {name}", wraps=True)
