"""The intake: what comes from a worker, split into frames, signs of life and what is neither."""

from collections.abc import Iterator

from benchbook import terminal
from benchbook.errors import BenchbookError
from benchbook.worker.wire import BEGINNING, Frame, decode

MIB = 1024 * 1024
LONGEST = 64 * MIB  # bytes of a frame
NOISE = 1 * MIB  # bytes of a session that may be no answer: banners, a wrapper's chatter, a month's beats


class Intake:
    """What came so far of one session.

    Args:
        name: The backend's name, for messages.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._line = bytearray()
        self._noise = 0
        self._sample = b""

    def take(self, data: bytes) -> Iterator[Frame]:
        """The frames that these bytes complete; empty lines are signs of life, and notes are for a person.

        Both are noise, too, so that no flood of them goes on for ever.

        Raises:
            BenchbookError: Too much came that is no frame, or a frame without an end.
        """
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._add(end)
            line, self._line = bytes(self._line), bytearray()
            frame = decode(line)
            if frame is None or frame.get("type") == "note":
                self._mind(line + b"\n")
            if frame is not None:
                yield frame
        self._add(rest)

    def _add(self, part: bytes) -> None:
        self._line += part
        start = len(BEGINNING)
        if not self._line.startswith(BEGINNING[: len(self._line)]):
            self._mind(bytes(self._line[start:]))
            del self._line[start:]  # what stays shows that this line is no frame
        elif len(self._line) > LONGEST:
            raise BenchbookError(
                f"backend {self._name}: an answer is longer than {LONGEST // MIB} MiB",
                mend="print less, and leave less behind",
            )

    def _mind(self, noise: bytes) -> None:
        self._noise += len(noise)
        self._sample = self._sample or noise[:60].rstrip(b"\n")
        if self._noise > NOISE:
            said = terminal.line(self._sample.decode("utf-8", "replace").rstrip())
            raise BenchbookError(
                f"backend {self._name}: more than {NOISE // MIB} MiB of its output is no answer: {said!r}",
                mend="look at what its command prints",
            )
