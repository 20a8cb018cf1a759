"""The control: messages of a child, whole or refused."""

import json
import os

from benchbook.worker.control import Control
from benchbook.worker.wire import FRAME_LIMIT
from tests.worker.refusal import refused


def test_a_message_is_one_line():
    """Its kind and its fields, as JSON, with line ends escaped."""
    reading, writing = os.pipe()
    Control(writing).send("begin", cell="one\n")
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        (line,) = pipe.read().splitlines()
    assert json.loads(line) == {"kind": "begin", "cell": "one\n"}


def test_a_message_that_is_too_long_is_not_sent():
    """What a snippet left behind has a limit, and nothing of a longer one is written."""
    said = refused(lambda text: Control(-1).send("cell", left=text), "x" * FRAME_LIMIT)
    assert said.endswith(f" bytes behind: keep it under {FRAME_LIMIT}")
