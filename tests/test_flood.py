"""A cell that warns 5,000 times: its page, its notebook and its run's page stay light, and count the rest."""

import json

import pytest

from benchbook.building import builder
from benchbook.project import Project
from tests import shelf
from tests.factory import run_tree, store_run

KEPT = 64 * 1024  # what the worker keeps of each stream of a cell
LINES = [f"snippets/chapter/lesson.py:{number}: UserWarning: look at <this> & that" for number in range(5000)]
WARNED = "\n".join(LINES)
LOST = len(WARNED) - KEPT


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_was_cut_is_counted_wherever_it_is_shown(project: Project, stream: str) -> None:
    """The page's fragment, the notebook and the run's page hold what was kept, once, and say what was not."""
    cells = run_tree()["cells"]
    cells[1] |= {stream: WARNED[:KEPT], f"{stream}_dropped": LOST}
    stored = store_run(project, cells=cells)
    page = project.page_path("chapter/lesson")
    page.parent.mkdir()
    page.write_text(shelf.PAGE.format(slug="chapter/lesson", order=1).replace(" one]", " total]"))
    builder.build(project)
    folder = stored.path.parent
    shown = {
        "fragment": (project.fragments / "chapter/lesson.json").read_text(encoding="utf-8"),
        "notebook": (project.docs / "notebooks/chapter/lesson.ipynb").read_text(encoding="utf-8"),
        "run's page": (folder / "index.md").read_text(encoding="utf-8"),
    }
    for name, text in shown.items():
        assert str(LOST) in text, name
        assert text.count("UserWarning") <= WARNED[:KEPT].count("UserWarning"), name
        assert len(text) < 2 * KEPT, name
    assert any(f"{LOST} more bytes" in line for line in _outputs(shown["notebook"]))


def _outputs(notebook: str) -> list[str]:
    return [line for cell in json.loads(notebook)["cells"] for line in cell["source"]]
