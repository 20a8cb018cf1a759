"""The control: the way back from a child to the dispatcher."""

import json
import os

from benchbook.worker.plain import UnfitError
from benchbook.worker.wire import FRAME_LIMIT


class Control:
    """The way back to the dispatcher: one JSON object a line, on a descriptor of its own."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def send(self, kind: str, **fields: object) -> None:
        """Writes one message; a reader that has gone ends this process."""
        data = json.dumps({"kind": kind, **fields}).encode() + b"\n"
        if len(data) > FRAME_LIMIT:
            raise UnfitError(f"it leaves {len(data)} bytes behind", f"keep it under {FRAME_LIMIT}")
        view = memoryview(data)
        while view:
            view = view[os.write(self.descriptor, view) :]
