"""The project: where things lie, what a slug names, which backends there are. Standard library only."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchbook.errors import UsageError

SLUG = re.compile(r"[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*")
NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, slots=True)
class Backend:
    """A named place to run.

    Attributes:
        name: The name in ``[tool.benchbook.backends.NAME]``.
        platform: What ``device.platform`` must be.
        device_kind: A regular expression that the whole of ``device.device_kind`` must match.
        count: How many devices there must be; ``None`` for any number.
        env: Variables set for the snippet, over the allow-listed environment.
        command: The words that start a Python with JAX there; ``None`` for this interpreter.
        doc: One phrase for tables.
    """

    name: str
    platform: str
    device_kind: str = ".*"
    count: int | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    command: tuple[str, ...] | None = None
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Project:
    """A checkout: its root, its backends, and the trees that share one slug."""

    root: Path
    backends: Mapping[str, Backend]
    shown: tuple[str, ...]

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
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"not valid TOML: {error}", path=path, mend="correct that line") from error


def _project(root: Path, settings: Any) -> Project:  # noqa: ANN401  # TOML is any of eight types
    backends = {
        name: _backend(name, table)
        for name, table in _table(_table(settings, "").get("backends", {}), ".backends").items()
    }
    shown = settings.get("shown", sorted(backends))
    if not _words(shown):
        raise UsageError("'shown' must be a list of names", path="pyproject.toml", mend='as in ["cpu"]')
    for name in shown:
        if name not in backends:
            raise UsageError(f"'shown' names the backend {name!r}", path="pyproject.toml", mend="define it")
    return Project(root=root, backends=backends, shown=tuple(shown))


def _table(value: Any, name: str) -> dict[str, Any]:  # noqa: ANN401  # TOML is any of eight types
    if not isinstance(value, dict):
        raise UsageError(
            f"[tool.benchbook{name}] is no table", path="pyproject.toml", mend="write it as a table"
        )
    return value


def _backend(name: str, value: Any) -> Backend:  # noqa: ANN401  # TOML is any of eight types
    where = f"[tool.benchbook.backends.{name}]"
    table = _table(value, f".backends.{name}")
    if not NAME.fullmatch(name):
        raise UsageError(f"{where} is not a name", path="pyproject.toml", mend="use a-z, 0-9 and -")
    if "platform" not in table or set(table) - set(KEYS):
        wrong = ", ".join(sorted(set(table) - set(KEYS))) or "no platform"
        raise UsageError(
            f"{where}: {wrong}", path="pyproject.toml", mend=f"give platform, and only {sorted(KEYS)}"
        )
    for key, setting in table.items():
        rule, what = KEYS[key]
        if not rule(setting):
            raise UsageError(f"{where}: {key} must be {what}", path="pyproject.toml", mend="correct it")
    command = table.get("command")
    return Backend(
        name=name,
        platform=table["platform"],
        device_kind=table.get("device-kind", ".*"),
        count=table.get("count"),
        env=dict(table.get("env", {})),
        command=None if command is None else tuple(command),
        doc=table.get("doc", ""),
    )


def _text(value: object) -> bool:
    return isinstance(value, str)


def _words(value: object) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _pattern(value: object) -> bool:
    try:
        return isinstance(value, str) and re.compile(value) is not None
    except re.error:
        return False


KEYS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "platform": (_text, "text"),
    "device-kind": (_pattern, "a regular expression"),
    "count": (lambda value: type(value) is int and value > 0, "a whole number of at least 1"),
    "env": (lambda value: isinstance(value, dict) and all(map(_text, value.values())), "a table of texts"),
    "command": (lambda value: _words(value) and value != [], 'a list of words, as in ["ssh", "host"]'),
    "doc": (_text, "text"),
}
