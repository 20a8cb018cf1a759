"""A reader: turns bytes into choices, so that a fuzzer's bytes are a program and a fault can be repeated."""

from collections.abc import Sequence


class Reader:
    """Takes choices from bytes; where they end, every choice is the first one."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    @property
    def left(self) -> int:
        """How many bytes are still there."""
        return len(self.data) - self.at

    def take(self, count: int) -> bytes:
        """The next bytes, or as many as are left."""
        found = self.data[self.at : self.at + count]
        self.at += len(found)
        return found

    def below(self, limit: int) -> int:
        """A number under a limit."""
        width = 1 if limit <= 1 << 8 else 2
        return int.from_bytes(self.take(width)) % limit if limit > 1 else 0

    def one[T](self, options: Sequence[T]) -> T:
        """One of several."""
        return options[self.below(len(options))]

    def text(self) -> str:
        """A text of up to 63 bytes; bytes that are not UTF-8 are lone surrogates in it."""
        return self.take(self.below(64)).decode("utf-8", "surrogateescape")
