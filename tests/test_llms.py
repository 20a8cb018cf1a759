"""llms.txt: in its format, whole, and every link of it leads somewhere."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from benchbook.building import builder
from benchbook.project import Project
from tests import built
from tests.address import ADDRESS, FOLDER
from tests.built import PROJECT
from tests.factory import make_project, store_run

LINK = re.compile(r"- \[(?P<title>[^\]]+)\]\((?P<place>[^)\s]+)\)(?:: (?P<note>\S.*))?")
HEAD = re.compile(r"# JAX, measured\n\n(?:> .+\n)+\n(?:[^#\n].*\n)+\n## ")


def links(site: Path) -> list[re.Match[str]]:
    """Its links, in their order."""
    return list(LINK.finditer((site / "llms.txt").read_text(encoding="utf-8")))


def sections(text: str) -> dict[str, list[str]]:
    """The lines below each heading of the second rank, without empty ones."""
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    return {
        name: [line for line in body.splitlines() if line]
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    }


def test_it_has_the_format(site: Path):
    """A title, a quoted summary, sentences, then sections that hold nothing but links."""
    text = (site / "llms.txt").read_text(encoding="utf-8")
    assert HEAD.match(text)
    lists = sections(text)
    assert len(lists) >= 6
    assert all(LINK.fullmatch(line) for lines in lists.values() for line in lines)


def test_every_link_leads_to_a_file(site: Path, published: Path):
    """Without an address links are paths below the root, with one they are whole; none is said twice."""
    for folder, start in ((site, ""), (published, ADDRESS)):
        places = [link["place"] for link in links(folder)]
        assert places
        assert len(set(places)) == len(places)
        for place in places:
            assert place.startswith(start)
            address = urlsplit(place).path.removeprefix(FOLDER) if start else place.removeprefix("./")
            assert built.file(folder, f"/{address}").is_file(), place


def test_it_names_every_page_and_all_data(site: Path):
    """Whatever a reader can open is there, lessons and chapters with what they say of themselves."""
    places = {link["place"]: link for link in links(site)}
    pages = {built_from(path.relative_to(PROJECT.docs)) for path in PROJECT.pages()}
    data = {"bench/", "bench.csv", "schema/run-1.json"}
    runs = {f"runs/{slug}/" for slug in PROJECT.slugs()}
    assert pages | data | runs <= set(places)
    assert all(places[place]["note"] for place in pages | data | runs)


def built_from(path: Path) -> str:
    """Where the page of a source is served."""
    place = path.as_posix().removesuffix("index.md").removesuffix(".md")
    return place if place.endswith("/") else f"{place}/" if place else "./"


def test_chapters_and_lessons_are_in_the_order_of_the_navigation(project: Project):
    """A reader of the file meets them as a reader of the site does; others follow."""
    (project.root / "mkdocs.yml").write_text(
        "nav: [index.md, {Two: [two/index.md, two/b.md, two/a.md]}, {One: [one/index.md]}]\n"
    )
    for name in ("index", "one/index", "two/index", "two/a", "two/b", "three/index"):
        path = project.docs / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"---\ntitle: T {name}\ndescription: D {name}.\n---\n# T\n")
    builder.build(project)
    found = sections((project.docs / "llms.txt").read_text())
    assert list(found)[:3] == ["T two/index", "T one/index", "T three/index"]
    assert found["T two/index"] == [
        "- [T two/index](two/): D two/index.",
        "- [T two/b](two/b/): D two/b.",
        "- [T two/a](two/a/): D two/a.",
    ]


def test_a_project_without_pages_has_one_too(tmp_path: Path):
    """It lists what is always there, and the runs of a lesson that has no page."""
    empty = make_project(tmp_path / "empty", {})
    store_run(empty)
    builder.build(empty)
    found = sections((empty.docs / "llms.txt").read_text())
    assert list(found) == ["Recorded data"]
    assert any("(runs/chapter/lesson/)" in line for line in found["Recorded data"])
