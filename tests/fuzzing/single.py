"""One campaign of one target: what the driver starts, since the fuzzer ends the process that it runs in.

``python -m tests.fuzzing.single TARGET FOLDER [libFuzzer's options]``
"""

import hashlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

import atheris

BEGAN = "CPU seconds before the first input: "


def main(name: str, folder: str, *options: str) -> None:
    """Fuzzes one target from the corpus in a folder; does not come back."""
    with atheris.instrument_imports(include=["benchbook"], enable_loader_override=False):
        from tests.fuzzing.targets import TARGETS
    target = TARGETS[name]
    for number, seed in enumerate(target.seeds()):
        (Path(folder) / f"seed-{number}").write_bytes(seed[: target.longest])
    target.take(target.seeds()[0])  # what is imported and read once is slow once
    words = [sys.argv[0], folder, f"-max_len={target.longest}", "-print_final_stats=1", *options]
    atheris.Setup(words, _keeping(target.take, f"{Path(folder)}-fault-"))
    _say(f"{BEGAN}{time.process_time()}")
    atheris.Fuzz()


def _keeping(take: Callable[[bytes], None], prefix: str) -> Callable[[bytes], None]:
    """The target; an input that it fails on is in a file before the fuzzer, which ends here, can lose it."""
    count = 0

    def kept(data: bytes) -> None:
        nonlocal count
        count += 1
        try:
            take(data)
        except BaseException:
            file = Path(f"{prefix}{hashlib.sha256(data).hexdigest()[:12]}")
            file.write_bytes(data)
            _say(f"Test unit written to {file}\nstat::number_of_executed_units: {count}")
            raise

    return kept


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
