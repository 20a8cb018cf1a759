"""The bench: every standing measurement of the site on one page, and the same as CSV."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from benchbook import archive
from benchbook.building import contents, ledger, roster, runpage, standing
from benchbook.building.contents import Entry
from benchbook.building.site import Files, Site
from benchbook.building.standing import Standing
from benchbook.reading import counted, listed

Rows = Mapping[str, Sequence[Standing]]

PAGE = "docs/bench.md"
SHEET = "docs/bench.csv"
FRONT = """\
---
title: Bench
description: Every measurement that this site stands by now, with dtypes, shapes, method, device and run.
---

# Bench

Every measurement that this site stands by now, in one place.
"""
EMPTY = "There is none: no run of a lesson measured anything yet.\n"
READING = """\
[The same as CSV](bench.csv) has numbers that are not rounded.

## How to read a row

The median is that of the process medians, and the brackets hold its 95% interval.
Min and max are of all samples.
The line below a row says what was timed: dtypes and shapes, method, the rule of the verdict, the device.
It ends with the run, whose name leads to the samples.
A row of a *current* run is what the lesson shows.
Any other row is of the latest fresh run with another version of JAX.
A *stale* run executed another text than the lesson has now.
"""
METHOD = "how-this-site-measures.md"
MORE = f"[How this site measures]({METHOD}) explains each of these words.\n"
LIMITS = """\
## What this page does not say

- **It ranks no machine, no backend and no version of JAX.**
  Rows of different runs come from different sessions, and nothing paired them.
- **Two intervals that do not overlap are no comparison.**
  A comparison is a *claim* of a lesson: a ratio within one run, paired by process, with its own interval.
- **Rows of different lessons have different inputs.**
  A column says nothing across them.
- **No row is a promise for your machine.**
  Run the lesson there.
"""
FORMAT = """\

## The columns of the CSV

The file is UTF-8 with a header, in the form that RFC 4180 describes.
A number has no unit in its cell, and no separator but the decimal point.
A text that starts with `=`, `+`, `-` or `@` has an apostrophe before it.
So has a text that could be taken for a date, a truth value or another number, as a run's name may be.
A spreadsheet shows such a text and calculates nothing.

| Column | What it holds |
| --- | --- |
"""


def files(site: Site) -> Files:
    """The page and the spreadsheet."""
    pages = contents.entries(site)
    rows = _in_order(standing.gather(site), pages)
    flat = [row for found in rows.values() for row in found]
    return {PAGE: _page(rows, pages).encode(), SHEET: ledger.spell(flat, url=site.url)}


def _in_order(rows: Rows, pages: Sequence[Entry]) -> Rows:
    """Lessons in the order of the navigation, chapter by chapter; what has no page follows."""
    places = {page.slug: place for place, page in enumerate(pages)}
    slugs = sorted(rows, key=lambda slug: (places.get(slug, len(places)), slug))
    chapters = list(dict.fromkeys(_chapter(slug) for slug in slugs))
    return {slug: rows[slug] for slug in sorted(slugs, key=lambda slug: chapters.index(_chapter(slug)))}


def _chapter(slug: str) -> str:
    return slug.partition("/")[0]


def _page(rows: Rows, pages: Sequence[Entry]) -> str:
    if not rows:
        return FRONT + EMPTY
    versions = {row.exhibit["jax"] for found in rows.values() for row in found}
    ranks = {jax: rank for rank, jax in enumerate(sorted(versions, key=archive.jax_version))}
    fields = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in ledger.FIELDS.items())
    reading = READING + (MORE if METHOD in {page.path for page in pages} else "")
    return "\n".join((FRONT + reading, LIMITS, *_chapters(pages, rows, ranks))) + FORMAT + fields


def _chapters(pages: Sequence[Entry], rows: Rows, ranks: Mapping[str, int]) -> Iterator[str]:
    """A heading for each chapter, and below it its lessons."""
    known = {page.slug: page for page in pages}
    openings = contents.chapters(pages)
    for chapter, slugs in groupby(rows, _chapter):
        title = openings[chapter].title if chapter in openings else chapter
        yield f"## {title} {{ #{chapter} }}\n"
        yield from (_lesson(slug, known.get(slug), rows[slug], ranks) for slug in slugs)


def _lesson(slug: str, page: Entry | None, rows: Sequence[Standing], ranks: Mapping[str, int]) -> str:
    lesson = f"[The lesson]({page.path}), [all its runs]" if page else "[All its runs]"
    places = listed(list(dict.fromkeys(row.exhibit["backend"] for row in rows)), "and")
    versions = listed(list(dict.fromkeys(row.exhibit["jax"] for row in rows)), "and")
    return (
        f"### {page.title if page else slug} {{ #{slug.replace('/', '-')} }}\n\n"
        f"{counted(len(rows), 'measurement')} on {places}, with JAX {versions}.\n"
        f"{lesson}({runpage.path(slug)}).\n\n"
        f"{roster.table(rows, label=f'Measurements of {slug}', ranks=ranks)}\n"
    )
