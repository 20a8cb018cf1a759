"""The skeleton: two files that travel with the package."""

import re
import tomllib
from pathlib import Path

import pytest

from benchbook.lesson import skeleton
from tests import anatomy

ROOT = Path(__file__).parents[1]
WORDS = {"slug": "chapter/cache-keys", "chapter": "chapter", "title": "Cache keys", "order": "5"}


@pytest.mark.parametrize("fill", [skeleton.snippet, skeleton.page])
def test_every_name_of_the_template_is_filled_in(fill):
    """Nothing is left for the writer that only `new` knows, and a name that it does not know is an error."""
    assert "$" not in fill(WORDS)


def test_the_page_lacks_only_what_a_writer_has_to_add():
    """Every block of its predictions, exercises and questions is in its place; of some there are too few."""
    counted = re.compile(
        r"1 concept sections, .*|\w+: (\d points|2 cells|a table of 1 symptoms), not .*|references: fewer .*"
        r"|experiments: Experiment 2[^:]*: no code"
    )
    found = anatomy.shortcomings(skeleton.page(WORDS), WORDS["slug"])
    assert found
    assert [short for short in found if not counted.fullmatch(short)] == []


def test_files_that_are_no_modules_are_declared_as_package_data():
    """A wheel holds what an editable install finds in the checkout."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    shipped = {
        ROOT / "scripts" / package.replace(".", "/") / name
        for package, names in declared.items()
        for name in names
    }
    engine = (ROOT / "scripts/benchbook").rglob("*")
    assert shipped == {
        path
        for path in engine
        if path.is_file() and path.suffix not in (".py", ".pyc") and "__pycache__" not in path.parts
    }
