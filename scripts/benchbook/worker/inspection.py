"""The inspection: hashes of every program that JAX compiled, before and after XLA optimised it.

It runs in a process of its own, never in one that measures. Locations, metadata and name tables are stripped,
so that the same program hashes the same wherever its file lies.
"""

import hashlib
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

LOCATION = re.compile(r"(?m)^#loc.*$\n?| loc\((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*\)")
METADATA = re.compile(r",? metadata=\{[^{}]*\}")
TABLES = re.compile(r"(?m)^(?:FileNames|FunctionNames|FileLocations|StackFrames)\n(?:\d+ .*\n)*\n?")
STABLEHLO = re.compile(r"jax_ir(?P<order>\d+)_(?P<name>.+)_compile\.mlir")
HLO = re.compile(r"module_(?P<order>\d+)\.(?P<name>.+?)\.(?:[a-z0-9_]+_)?after_optimizations\.txt")


def variables(folder: Path, env: dict[str, str]) -> dict[str, str]:
    """The environment that makes JAX and XLA write their programs under ``folder``."""
    flags = f"{env.get('XLA_FLAGS', '')} --xla_dump_to={folder / 'hlo'} --xla_dump_hlo_as_text".strip()
    return env | {"JAX_DUMP_IR_TO": str(folder / "ir"), "JAX_DUMP_IR_MODES": "stablehlo", "XLA_FLAGS": flags}


def programs(folder: Path) -> list[dict[str, Any]]:
    """One entry a distinct program, in the order of compilation: its name and both hashes."""
    before = _read(folder / "ir", STABLEHLO, LOCATION)
    after = _read(folder / "hlo", HLO, METADATA, TABLES)
    found: dict[tuple[str, str | None, str | None], None] = {}
    for name in before | after:
        left, right = before.get(name, []), after.get(name, [])
        rows: list[tuple[str, str | None, str | None]]
        if len(left) == len(right):
            rows = [(name, a, b) for a, b in zip(left, right, strict=True)]
        else:  # some were compiled without being traced, or the other way round: no pair can be told
            rows = [(name, a, None) for a in left] + [(name, None, b) for b in right]
        found.update(dict.fromkeys(rows))
    return [{"name": name, "stablehlo": a, "hlo": b} for name, a, b in found]


def _read(folder: Path, pattern: re.Pattern[str], *strip: re.Pattern[str]) -> dict[str, list[str]]:
    matches = [(pattern.fullmatch(path.name), path) for path in folder.glob("*")] if folder.is_dir() else []
    hashes: dict[str, list[str]] = defaultdict(list)
    for match, path in sorted(((m, p) for m, p in matches if m), key=lambda pair: int(pair[0]["order"])):
        text = path.read_text(encoding="utf-8", errors="replace")
        for part in strip:
            text = part.sub("", text)
        hashes[match["name"]].append(hashlib.sha256(text.encode()).hexdigest())
    return dict(hashes)
