"""Failures: one line that says which process, which cell, and what happened."""

from benchbook.recording.failure import Failure
from benchbook.worker.wire import Frame
from tests.answers import failure, process


def test_a_failed_process_is_the_runs_failure():
    """Kind, file, line, cell, message and output of the process that failed, and which one it was."""
    failed = process(1) | {"kind": "raised", "cell": "total", "line": 16, "detail": "ValueError: no"}
    failed["cells"] = [
        *failed["cells"][:1],
        failed["cells"][1] | {"stdout": "partial\n", "stderr": "Trace\n"},
    ]
    abandoned = Frame(type="process", job=0, process=2, kind="abandoned")
    found = failure(process(0), failed, abandoned)
    expected = "snippets/chapter/lesson.py:16: cell total: raised: ValueError: no (process 2)"
    assert found == Failure("raised", expected, "partial\nTrace\n")
