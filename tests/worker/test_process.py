"""Processes: a child with pipes of its own, and what it sends."""

from pathlib import Path

from tests.worker.cold import STOP, ended, job, outputs


def test_each_cell_has_pipes_of_its_own(tmp_path: Path):
    """Output belongs to the cell that was running, from Python, from C and from other programs."""
    process = ended(
        job(
            "import os, sys\nprint('one')\nprint('err', file=sys.stderr)",
            "os.write(1, b'two\\n'); os.system('echo three')",
            "print('four', end='')" + STOP,
        ),
        tmp_path,
    )
    assert outputs(process)[:2] == [(b"one\n", b"err\n"), (b"two\nthree\n", b"")]
    assert outputs(process)[2][0] == b"four"
    assert [message["kind"] for message in process.messages()] == [*["begin", "cell"] * 2, "begin", "failed"]
    assert process.status == 1
    assert process.ended_ns > process.started_ns


def test_a_message_that_death_cut_short_is_left_out(tmp_path: Path):
    """Half a line is no message."""
    process = ended(job("import os\nos._exit(3)"), tmp_path)
    process.control.kept += b'{"kind": "ce'
    assert process.messages() == [{"kind": "begin", "cell": "cell0"}]
    assert process.status == 3
