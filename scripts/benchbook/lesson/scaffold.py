"""The scaffold of a new lesson: a snippet, a page and a line in the navigation, ready to be written over."""

from collections.abc import Mapping
from pathlib import Path

from benchbook import archive
from benchbook.errors import UsageError
from benchbook.lesson import nav, skeleton
from benchbook.pages import page
from benchbook.project import SLUG, Project


def new(project: Project, slug: str) -> list[str]:
    """Writes the three; nothing that is there is written over, and all is refused before anything is written.

    Args:
        project: The project.
        slug: ``chapter/lesson``; the chapter is there, the lesson is not.

    Returns:
        The files, relative to the project.

    Raises:
        UsageError: The slug is not right, is taken, or its chapter is not there or not in the navigation.
        PageError: A page of the chapter cannot be read.
        OSError: One cannot be written; none is.
    """
    _check(project, slug)
    navigation = project.root / nav.FILE
    listed = nav.add(nav.read(project.root), slug)
    words = _words(project, slug)
    files = {
        project.snippet_path(slug): skeleton.snippet(words),
        project.page_path(slug): skeleton.page(words),
        navigation: listed,
    }
    _write(files)
    return [project.relative(path) for path in files]


def _write(files: Mapping[Path, str]) -> None:
    """All of them, what was there before last; or none, so that the same command works once there is room."""
    written: list[Path] = []
    try:
        for path, text in files.items():
            archive.write_whole(path, text.encode())
            written.append(path)
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        raise


def _check(project: Project, slug: str) -> None:
    if not SLUG.fullmatch(slug):
        raise UsageError(f"{slug!r} is no slug", mend="write chapter/lesson with a-z, 0-9 and -")
    chapter = slug.split("/", maxsplit=1)[0]
    chapters = sorted(
        path.parent.name for path in project.docs.glob("*/index.md") if path.parent != project.runs
    )
    if chapter not in chapters:
        known = f"choose from {', '.join(chapters)}, or " if chapters else ""
        raise UsageError(f"there is no chapter {chapter!r}", mend=f"{known}write docs/{chapter}/index.md")
    for path in (project.snippet_path(slug), project.page_path(slug)):
        if path.exists():
            raise UsageError("is there already", path=project.relative(path), mend="choose another slug")


def _words(project: Project, slug: str) -> dict[str, str]:
    chapter, lesson = slug.split("/")
    orders = (page.load(project, path).front.get("order") for path in (project.docs / chapter).glob("*.md"))
    order = max((number for number in orders if isinstance(number, int)), default=0) + 1
    title = lesson.replace("-", " ").capitalize()
    return {"slug": slug, "chapter": chapter, "title": title, "order": str(order)}
