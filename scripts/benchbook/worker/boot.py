"""A benchbook worker with its plan. Needs Python 3.11 or newer, JAX, and Linux or macOS.

Run it as `python3 FILE.py > results.jsonl`, or pipe it to `python3 -`.
"""
# Any Python 3 gets as far as the message that it is too old: hence the types in quotation marks.

import importlib.abc
import importlib.util
import sys
from typing import Any


class Carried(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports the worker's modules from the text that carries them."""

    def __init__(self, sources: "dict[str, str]") -> None:
        self.sources = sources

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:  # noqa: ANN401  # importlib's own types
        """The specification of a module that is carried."""
        if fullname not in self.sources:
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=self.is_package(fullname))

    def get_source(self, fullname: str) -> str:
        """The module's text."""
        return self.sources[fullname]

    def is_package(self, fullname: str) -> bool:
        """Whether other carried modules lie below it."""
        return any(other.startswith(fullname + ".") for other in self.sources)


def main(sources: "dict[str, str]", plan: Any) -> None:  # noqa: ANN401  # its type is carried too
    """Starts the carried worker."""
    if sys.version_info < (3, 11):  # noqa: UP036  # other machines have other Pythons
        sys.exit("benchbook's worker needs Python 3.11 or newer; this is " + sys.version.split()[0])
    if sys.platform == "win32":
        sys.exit("benchbook's worker needs Linux or macOS")
    sys.meta_path.insert(0, Carried(sources))
    from benchbook.worker import service

    service.main(plan, sources)
