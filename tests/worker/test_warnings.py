"""A flood of warnings: recorded as what it is, cut and counted, and the run stays within its size."""

import pytest

from benchbook.project import Project
from benchbook.run.spelling import LARGEST
from benchbook.worker.wire import OUTPUT_LIMIT
from tests.factory import make_project
from tests.recording import record, run_of, snippet_text

PYTHON = "import warnings\nfor n in range(5000): warnings.warn(f'number {n} is deprecated', stacklevel=1)\n"
NATIVE = """\
import ctypes
libc = ctypes.CDLL(None)
for n in range(5000):
    line = f'W0000 00:00:00.{n:06} 12 slow_operation_alarm.cc:73] "\\\\x1b[31m" folding {n:06}\\n'.encode()
    libc.write(2, line, len(line))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """One whose snippets warn 5,000 times: from Python, from C, and from several cells."""
    cells = "".join(f"# %% c{n}\n{NATIVE}print('on')\n" for n in range(4))
    texts = {"a/python": f"# %% one\n{PYTHON}", "a/native": f"# %% one\n{NATIVE}", "a/cells": cells}
    root = tmp_path_factory.mktemp("warnings") / "project"
    return make_project(root, {slug: snippet_text(text) for slug, text in texts.items()})


def test_thousands_of_warnings_are_cut_and_counted(project: Project):
    """Of Python's and of C's, the first 64 KiB are kept and the rest is counted, byte for byte."""
    outcomes = {outcome.slug: outcome for outcome in record(project)}
    for slug in ("a/python", "a/native"):
        (cell,) = run_of(outcomes, slug).cells
        lines = cell.stderr.splitlines()
        assert len(cell.stderr) <= OUTPUT_LIMIT
        assert cell.stderr_dropped > 200_000
        if slug == "a/native":
            assert len(cell.stderr) + cell.stderr_dropped == 5000 * (len(lines[0]) + 1)
        stored = outcomes[slug].stored
        assert stored is not None
        assert stored.path.stat().st_size <= LARGEST


def test_several_cells_that_each_flood_are_one_line(project: Project):
    """What each cell may keep is more than a run may hold: the largest is named, with the mend."""
    (outcome,) = record(project, "a/cells")
    assert outcome.stored is None
    (line,) = outcome.detail
    assert f"more than {LARGEST}: the output of cell 'c0' takes" in line
    assert "print less" in line
