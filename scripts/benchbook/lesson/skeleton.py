"""The skeleton of a lesson: a snippet that runs as it stands, and a page with every part of the anatomy.

Both are files beside this module, in which ``$slug``, ``$title``, ``$chapter`` and ``$order`` are filled in.
"""

from collections.abc import Mapping
from importlib import resources
from string import Template


def snippet(words: Mapping[str, str]) -> str:
    """The text of a lesson's snippet.

    Args:
        words: What stands for each name of the template.
    """
    return _template("skeleton.py.txt").substitute(words)


def page(words: Mapping[str, str]) -> str:
    """The text of a lesson's page.

    Args:
        words: What stands for each name of the template.
    """
    return _template("skeleton.md").substitute(words)


def _template(name: str) -> Template:
    return Template((resources.files(__package__) / name).read_text(encoding="utf-8"))
