"""Settings: tables of pyproject.toml, the publication's word, retractions, and the site's address."""

import re
import tomllib
from types import SimpleNamespace
from typing import cast

from benchbook import backend, cite, publication, reading
from benchbook.archive import jax_version
from benchbook.archive.retraction import _is_retraction
from benchbook.project import Project
from benchbook.worker import filename
from tests.factory import SETTINGS
from tests.fuzzing.target import refusing

PUBLISHED = "owner/repository@gh-pages"


def take(data: bytes) -> None:
    """Reads a text as each of these settings, and TOML as tables of backends."""
    text = data.decode("utf-8", "replace")
    with refusing():
        _check_publication(text)
    if filename.FORM.fullmatch(text) and filename.fault(text) is None:
        assert re.fullmatch(r"[a-z0-9._-]+", text)
        assert not text.startswith(".")
    assert jax_version(text) <= jax_version("99999999!0") or "!" in text
    assert reading.text(text) == text
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    for name, value in tables.items():
        _is_retraction(value)
        with refusing():
            found = backend.read(name, value)
            found.misfit("cpu", "cpu", 1)
            assert found.command is None or all(isinstance(word, str) for word in found.command)


def _check_publication(text: str) -> None:
    found = publication.read(text, path="pyproject.toml")
    if found is not None:
        address = found.colab("notebooks/a.ipynb")
        assert address.startswith(f"{publication.COLAB}/")
        assert re.fullmatch(r"[\x21-\x7e]+", address)
        assert not {".", ".."} & set(address.split("/"))


def address(data: bytes) -> None:
    """Reads mkdocs.yml for the site's address."""
    file = SimpleNamespace(exists=lambda: True, read_text=lambda encoding: data.decode("utf-8", "replace"))
    with refusing():
        found = cite.site_url(cast("Project", SimpleNamespace(root=_Root(file))))
        assert found == "" or re.fullmatch(r"https?://[\x21-\x7e]+/", found)


class _Root:
    """A folder in which every path is one file."""

    def __init__(self, file: SimpleNamespace) -> None:
        self.file = file

    def __truediv__(self, name: str) -> SimpleNamespace:
        """The file."""
        return self.file


def seeds() -> list[bytes]:
    """Settings as tests write them, and single words."""
    tables = SETTINGS.replace("tool.benchbook.backends.", "")
    words = (PUBLISHED, "trace.json.gz", "0.12.0.1", "https://example.org/path/")
    return [text.encode() for text in (tables, '["a1b2c3d4e5f6"]\nreason = "x"\ndate = 2026-01-31\n', *words)]


def addresses() -> list[bytes]:
    """The setting as people write it."""
    return [
        b"site_url: https://example.org/p/\n",
        b"site_url: !ENV [SITE_URL, 'http://a.b:1/']\n",
        b"a: &b {c: *b}",
    ]
