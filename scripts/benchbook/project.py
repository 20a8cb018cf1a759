"""The project: where things lie, what a slug names, which backends there are. Standard library only."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from benchbook import backend, publication
from benchbook.backend import Backend
from benchbook.errors import UsageError
from benchbook.publication import Publication
from benchbook.setting import is_words, table

__all__ = ["SLUG", "Backend", "Project", "find", "is_derived"]

SLUG = re.compile(r"[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*")
# Where only `build` writes, and git looks away.
DERIVED_FOLDERS = (
    "docs/figures/",
    "docs/notebooks/",
    "docs/schema/",
    "docs/snippets/",
    ".benchbook/fragments/",
)
DERIVED_FILES = (
    "docs/assets/site.css",
    "docs/bench.csv",
    "docs/bench.md",
    "docs/llms.txt",
    "docs/robots.txt",
)


@dataclass(frozen=True, slots=True)
class Project:
    """A checkout: its root, its backends, where its site is published, and the trees that share one slug."""

    root: Path
    backends: Mapping[str, Backend]
    shown: tuple[str, ...]
    published: Publication | None = None

    @property
    def snippets(self) -> Path:
        """The folder of the lessons' code."""
        return self.root / "snippets"

    @property
    def docs(self) -> Path:
        """The folder that MkDocs builds from."""
        return self.root / "docs"

    @property
    def runs(self) -> Path:
        """The folder of reference runs, committed."""
        return self.docs / "runs"

    @property
    def state(self) -> Path:
        """This machine's runs, environments and caches, ignored by git."""
        return self.root / ".benchbook"

    @property
    def local_runs(self) -> Path:
        """Runs of this machine that were not accepted."""
        return self.state / "runs"

    @property
    def fragments(self) -> Path:
        """What `build` derived for the Markdown blocks, one JSON file a slug."""
        return self.state / "fragments"

    def snippet_path(self, slug: str) -> Path:
        """The lesson's code."""
        return self.snippets / f"{slug}.py"

    def page_path(self, slug: str) -> Path:
        """The lesson's prose."""
        return self.docs / f"{slug}.md"

    def pages(self) -> list[Path]:
        """Every page that is written by hand, sorted. As for MkDocs, a name with a dot before it is none."""
        found = (path for path in sorted(self.docs.rglob("*.md")) if not path.is_dir())
        return [path for path in found if not self._is_hidden(path) and not is_derived(self.relative(path))]

    def derived(self) -> Iterator[str]:
        """Every file that lies where only `build` writes; not one that is being written this moment."""
        for folder in (*(self.root / name for name in DERIVED_FOLDERS), self.runs):
            for path in folder.rglob("*"):
                name = self.relative(path)
                if is_derived(name) and not path.name.startswith(".") and path.is_file():
                    yield name

    def _is_hidden(self, path: Path) -> bool:
        """Whether its name, or a folder's between it and the pages' own, begins with a dot."""
        return any(part.startswith(".") for part in path.relative_to(self.docs).parts)

    def relative(self, path: Path) -> str:
        """A path as messages and manifests spell it: from the root, with forward slashes."""
        return (path.relative_to(self.root) if path.is_relative_to(self.root) else path).as_posix()

    def slugs(self) -> list[str]:
        """Every slug that has a snippet, sorted."""
        found = (path.relative_to(self.snippets).with_suffix("") for path in self.snippets.glob("*/*.py"))
        return sorted(slug for slug in (path.as_posix() for path in found) if SLUG.fullmatch(slug))

    def backend(self, name: str) -> Backend:
        """The backend of that name.

        Raises:
            UsageError: There is none.
        """
        if name not in self.backends:
            raise UsageError(
                f"no backend is named {name!r}", mend=f"choose from {', '.join(sorted(self.backends))}"
            )
        return self.backends[name]


def is_derived(name: str) -> bool:
    """Whether a name lies where only `build` writes; a manifest edited by hand reaches nothing else."""
    parts = PurePosixPath(name).parts
    is_run_page = parts[:2] == ("docs", "runs") and parts[-1] == "index.md"
    is_listed = name.startswith(DERIVED_FOLDERS) or name in DERIVED_FILES
    return ".." not in parts and (is_run_page or is_listed)


def find(start: Path | None = None) -> Project:
    """The project that holds the working directory, or ``start``.

    Raises:
        UsageError: No parent holds a pyproject.toml with ``[tool.benchbook]``, or its settings are wrong.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        settings_file = folder / "pyproject.toml"
        if settings_file.is_file():
            tools = _read(settings_file).get("tool", {})
            if isinstance(tools, dict) and "benchbook" in tools:
                return _project(folder, tools["benchbook"])
    raise UsageError(
        "no benchbook project here", mend="go to a folder below a pyproject.toml that has [tool.benchbook]"
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"not valid TOML: {error}", path=path, mend="correct that line") from error


def _project(root: Path, settings: Any) -> Project:  # noqa: ANN401  # TOML is any of eight types
    tables = table(table(settings, "").get("backends", {}), ".backends")
    backends = {name: backend.read(name, value) for name, value in tables.items()}
    shown = settings.get("shown", sorted(backends))
    if not is_words(shown):
        raise UsageError("'shown' must be a list of names", path="pyproject.toml", mend='as in ["cpu"]')
    for name in shown:
        if name not in backends:
            raise UsageError(f"'shown' names the backend {name!r}", path="pyproject.toml", mend="define it")
    return Project(root, backends, tuple(shown), _published(settings))


def _published(settings: Mapping[str, Any]) -> Publication | None:
    """The environment's word, which a workflow gives for its own repository, or else the setting."""
    word = os.environ.get("PUBLISHED")
    if word is not None:
        return publication.read(word, path=None)
    return publication.read(settings.get("published"), path="pyproject.toml")
