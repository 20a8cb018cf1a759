"""A citation: the backends that a cited statement is about. Light: the blocks import it."""

from collections.abc import Iterator, Sequence

from benchbook.errors import BenchbookError
from benchbook.pages.use import Use

EVERYWHERE = "cpu"  # each lesson has a run on it, or `check` fails: nothing is left to be cited


def backends(use: Use) -> list[str]:
    """The names in the option, as the page orders them."""
    return [name.strip() for name in use.options["backends"].split(",")]


def problems(use: Use, shown: Sequence[str]) -> Iterator[BenchbookError]:
    """What is wrong with the option.

    Args:
        use: A cited statement.
        shown: The backends that the site shows.
    """
    names = backends(use)
    known = [name for name in shown if name != EVERYWHERE]
    mend = f"known: {', '.join(known) or 'none'}, with a comma between two"
    for number, name in enumerate(names):
        if not name:
            yield BenchbookError("backends has an empty name", mend=mend)
        elif name == EVERYWHERE:
            yield BenchbookError(f"backends names {name}, on which every lesson is run", mend=mend)
        elif name not in known:
            yield BenchbookError(f"backends names {name!r}, which the site does not show", mend=mend)
        elif name in names[:number]:
            yield BenchbookError(f"backends names {name} twice", mend="name it once")
