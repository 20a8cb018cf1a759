"""The vocabulary of a page: which words of the glossary it has still to link. Light: reads a fragment."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchbook.errors import PageError
from benchbook.pages.glossary import PAGE
from benchbook.project import Project

Term = Mapping[str, Any]
Terms = Mapping[str, Term]  # by id


def load(project: Project) -> Terms:
    """The terms that were derived; none where the project has no glossary.

    Raises:
        PageError: There is a glossary, and nothing is derived from it.
    """
    file = project.fragments / "glossary.json"
    try:
        state = file.stat()
    except OSError:
        if not (project.root / PAGE).exists():
            return {}
        raise PageError("nothing is derived for it", path=PAGE, mend="run benchbook build") from None
    return _read(file, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _read(file: Path, _changed: int, _size: int) -> Terms:
    return {term["id"]: term for term in json.loads(file.read_bytes())}


class Vocabulary:
    """The words that are still open on one page.

    Args:
        terms: All terms of the glossary.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.open = {form: name for name, term in terms.items() for form in term["forms"]}  # ids by form
        self.pattern = _pattern(tuple(self.open))

    def take(self, text: str) -> Iterator[tuple[re.Match[str], Term]]:
        """The open words of a text, in its order; each closes its term."""
        for match in self.pattern.finditer(text):
            name = self.open.get(self._form(match[0]))
            if name is not None:
                self.close(name)
                yield match, self.terms[name]

    def close(self, name: str, word: str = "") -> None:
        """Takes a term out, with all its forms; and the term that the word would belong to otherwise."""
        closed = {name, self.open.get(self._form(word))}
        self.open = {form: other for form, other in self.open.items() if other not in closed}

    def _form(self, text: str) -> str:
        """A word of the page as the glossary spells it; one that begins a sentence has a capital."""
        spelled = " ".join(text.split())
        return spelled if spelled in self.open else spelled[:1].lower() + spelled[1:]


@lru_cache(maxsize=8)
def _pattern(forms: tuple[str, ...]) -> re.Pattern[str]:
    """Finds whole words, the longest form first; hyphens and slashes join words to one."""
    spelled = [re.escape(form).replace("\\ ", r"\s+") for form in sorted(forms, key=len, reverse=True)]
    capital = [f"[{form[0]}{form[0].upper()}]{form[1:]}" if form[0].islower() else form for form in spelled]
    return re.compile(rf"(?<![\w/-])(?:{'|'.join(capital)})(?![\w/-])")
