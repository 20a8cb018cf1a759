"""Headers: settings with their defaults, and a wrong one named."""

import pytest

from benchbook.errors import SnippetError
from benchbook.lesson.header import Header
from benchbook.lesson.snippet import parse

HEADER = "# /// script\n# dependencies = []\n# ///\n"
SETTINGS = (
    "tolerance = 0",
    "tolerance = nan",
    "timeout = -1",
    "timeout = inf",
    "tolerance = true",
    "cold = 1",
)


@pytest.mark.parametrize("setting", [*SETTINGS, "minimum-jax = 0.9", "speed = 1"])
def test_a_wrong_setting_of_the_header_is_named(setting: str):
    """Unknown names, wrong types and numbers that are no limit are refused with the setting's own words."""
    text = f"# /// script\n# [tool.benchbook]\n# {setting}\n# ///\n# %% one\nx = 1\n"
    with pytest.raises(SnippetError, match=f"^p:1: its header sets {setting.partition(' ')[0]} = "):
        parse(text, slug="a/b", path="p")


def test_the_header_sets_what_it_names_and_the_rest_stays():
    """Settings are read from the PEP 723 block, with the documented defaults."""
    text = '# /// script\n# dependencies = ["jax"]\n#\n# [tool.benchbook]\n# cold = true\n'
    text += '# minimum-jax = "0.9"\n# tolerance = 1\n# ///\n# %% one\nx = 1\n'
    expected = Header(dependencies=("jax",), tolerance=1, cold=True, timeout=120.0, minimum_jax="0.9")
    assert parse(text, slug="a/b", path="p").header == expected
    assert parse(HEADER + "# %% one\n", slug="a/b", path="p").header == Header()
