"""Rendering for tests: a page of a project as Markdown makes it, and what its HTML holds."""

import json
from html.parser import HTMLParser

import markdown
import pytest

from benchbook.building import fragment
from benchbook.pages.page import pages
from benchbook.project import Project

EXTENSIONS = [
    "attr_list", "md_in_html", "tables", "toc", "pymdownx.blocks.details", "pymdownx.superfences",
    "pymdownx.highlight", "benchbook.blocks",
]  # fmt: skip


class Text(HTMLParser):
    """Collects start tags, and the text inside each ``code`` element."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.code: list[str] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a tag."""
        self.tags.append((tag, dict(attrs)))
        if tag == "code":
            self.inside = True
            self.code.append("")

    def handle_endtag(self, tag: str) -> None:
        """Notes the end of code."""
        self.inside = self.inside and tag != "code"

    def handle_data(self, data: str) -> None:
        """Notes text in code."""
        if self.inside:
            self.code[-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of each element of that name."""
        return [attributes for name, attributes in self.tags if name == tag]


def derive(project: Project, *, local: bool = False) -> None:
    """Writes the fragment that `benchbook build` writes."""
    uses = [use for page in pages(project) for use in page.uses]
    data = fragment.derive(project, "chapter/lesson", uses=uses, local=local)
    path = project.fragments / "chapter" / "lesson.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))


def render(project: Project, text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A page's HTML, as Markdown makes it in the project."""
    (project.docs / "p.md").write_text(text)
    derive(project)
    monkeypatch.chdir(project.root)
    return markdown.markdown(text, extensions=EXTENSIONS)
