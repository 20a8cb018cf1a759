"""What a program reads first: llms.txt, in the format of https://llmstxt.org/, and robots.txt."""

from collections.abc import Iterator, Sequence

from benchbook import cite, run
from benchbook.building import contents
from benchbook.building.contents import Entry
from benchbook.building.site import Files, Site

PAGE = "docs/llms.txt"
ROBOTS = "docs/robots.txt"
HEAD = f"""\
# {cite.NAME}

> JAX performance, taught with examples that were really run.
> Every output, number and figure comes from a run: an immutable JSON file.
> A run says what was executed, where, on which JAX, how it was measured and what came out.

A number means nothing without its device, version of JAX, dtypes, shapes and method, so quote them with it.
Numbers of different runs are not comparable; only a claim of a lesson, a ratio within one run, compares.
To cite a number, cite its run by its id.
"""


def files(site: Site) -> Files:
    """The two."""
    sections = [HEAD, *(_section(name, links) for name, links in _sections(site) if links)]
    return {PAGE: "\n".join(sections).encode(), ROBOTS: _robots(site.url).encode()}


def _robots(url: str) -> str:
    """Everything may be read; where the site's address is known, so is that of its map."""
    return "User-agent: *\nAllow: /\n" + (f"Sitemap: {url}sitemap.xml\n" if url else "")


def _section(name: str, links: Sequence[str]) -> str:
    return f"## {name}\n\n" + "".join(f"- {link}\n" for link in links)


def _sections(site: Site) -> Iterator[tuple[str, list[str]]]:
    pages = contents.entries(site)
    for folder, opening in contents.chapters(pages).items():
        yield opening.title, [_page(site, page) for page in pages if page.chapter == folder]
    yield "About the site", [_page(site, page) for page in pages if not page.chapter]
    yield "Recorded data", list(_data(site))
    yield "Examples as files", [link for page in pages for link in _examples(site, page.slug)]


def _examples(site: Site, slug: str) -> Iterator[str]:
    """What was derived of a lesson's code, to be run elsewhere."""
    for address in (f"snippets/{slug}.py", f"notebooks/{slug}.ipynb"):
        if f"docs/{address}" in site.made:
            yield _link(site, address, address)


def _data(site: Site) -> Iterator[str]:
    yield _link(site, "Bench", "bench/", "Every measurement that the site stands by now, on one page.")
    yield _link(site, "Bench as CSV", "bench.csv", "The same, one measurement a row, unrounded.")
    schema = f"schema/run-{run.SCHEMA}.json"
    yield _link(site, "Schema of a run", schema, "JSON Schema of every run file.")
    for lesson in site.lessons:
        if lesson.runs:
            what = "Source, machine, method, output, samples and digest of each; links to the files."
            yield _link(site, f"Runs of {lesson.slug}", f"runs/{lesson.slug}/", what)


def _page(site: Site, page: Entry) -> str:
    return _link(site, page.title, page.address, page.description)


def _link(site: Site, title: str, address: str, note: str = "") -> str:
    """One line; without an address of the site the link is a path below it."""
    place = f"{site.url}{address}" or "./"
    return f"[{title}]({place})" + (f": {note}" if note else "")
