"""Rules about a lesson's files: a snippet and a page of one slug, with front matter, in the navigation."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchbook.errors import UsageError
from benchbook.lesson import nav
from benchbook.project import SLUG, is_derived
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem

WIDTH = 82  # characters of code that a page shows without scrolling, beside both of Material's side bars
FRONT: Mapping[str, type] = {"title": str, "chapter": str, "order": int, "minutes": int}


def snippet_and_page(inventory: Inventory) -> Iterator[Problem]:
    """A slug names a snippet and a page, and every file of either tree has a slug."""
    project = inventory.project
    files = {project.snippets: set(project.snippets.glob("*/*.py"))}
    files[project.docs] = {
        p for p in project.docs.glob("*/*.md") if p.name != "index.md" and p.parent != project.runs
    }
    for tree, other, suffix in (
        (project.snippets, project.docs, ".md"),
        (project.docs, project.snippets, ".py"),
    ):
        for path in sorted(files[tree]):
            slug = path.relative_to(tree).with_suffix("").as_posix()
            partner = other / f"{slug}{suffix}"
            if not SLUG.fullmatch(slug):
                mend = "name it with a-z, 0-9 and -, or nobody sees it"
                yield Problem(project.relative(path), None, f"{slug!r} is no slug", mend)
            elif partner not in files[other]:
                shown = project.relative(partner)
                yield Problem(
                    project.relative(path), None, f"there is no {shown}", "write it, or move this away"
                )


def front_matter(inventory: Inventory) -> Iterator[Problem]:
    """A lesson's page states title, chapter, order and minutes, and the chapter is its folder."""
    for slug in inventory.snippets:
        page = inventory.page(slug)
        if page is not None:
            for message, mend in _front_problems(page.front, slug):
                yield Problem(page.path, 1, message, mend)


def fits_the_page(inventory: Inventory) -> Iterator[Problem]:
    """No line of a snippet is wider than the column that shows it."""
    for lesson in inventory.snippets.values():
        for number, line in enumerate(lesson.text.split("\n"), start=1):
            if len(line) > WIDTH:
                what = f"{len(line)} characters wide, and a page shows {WIDTH}"
                yield Problem(lesson.path, number, what, "break the line")


def navigation(inventory: Inventory) -> Iterator[Problem]:
    """mkdocs.yml lists every lesson's page, and nothing that is not there."""
    project = inventory.project
    path = project.root / nav.FILE
    lessons = [f"{slug}.md" for slug in inventory.snippets if inventory.page(slug)]
    try:
        listed = nav.entries(nav.read(project.root)) if path.is_file() else []
    except UsageError as error:
        yield Problem.of(error, path=nav.FILE)
        return
    for missing in sorted(set(lessons) - {entry.path for entry in listed}):
        yield Problem(nav.FILE, None, f"its nav does not list {missing}", f"add the line '- {missing}'")
    for entry in listed:
        made = "://" in entry.path or is_derived(f"docs/{entry.path}")
        if not made and not (project.docs / entry.path).exists():
            yield Problem(
                nav.FILE, entry.line, f"its nav lists {entry.path}, which is not there", "remove the line"
            )


def _front_problems(front: Mapping[str, Any], slug: str) -> Iterator[tuple[str, str]]:
    chapter = slug.split("/", maxsplit=1)[0]
    for key, kind in FRONT.items():
        value = front.get(key)
        wanted = "a whole number above 0" if kind is int else "a text"
        if type(value) is not kind or not value or (isinstance(value, int) and value < 0):
            yield f"its front matter has no right {key!r}", f"write '{key}:' and {wanted}"
        elif key == "chapter" and value != chapter:
            yield f"its chapter is {value!r}, its folder {chapter!r}", f"write 'chapter: {chapter}'"
