"""One campaign of one target: what the driver starts, since the fuzzer ends the process that it runs in.

``python -m tests.fuzzing.single TARGET FOLDER [libFuzzer's options]``
"""

import sys
import time
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
    atheris.Setup(words, target.take)
    print(f"{BEGAN}{time.process_time()}", file=sys.stderr, flush=True)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
