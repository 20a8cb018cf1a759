"""What a site of a hundred lessons and a thousand runs costs to build, and how that grows."""

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from building import checkout, strip
from pairs import BENCHBOOK, wall

from benchbook import archive, run

LESSON = "jit/compile"
SIZES = (25, 50, 100)
# The runs of one lesson: two JAX versions on each of four backends, and two older runs on cpu.
RUNS = [(backend, jax, 1) for backend in ("cpu", "cpu8", "cuda", "tpu") for jax in ("0.9.2", "0.12.0.1")]
RUNS += [("cpu", "0.12.0.1", day) for day in (2, 3)]


def many_lessons() -> None:
    """Builds of 25, 50 and 100 lessons from nothing, and plain Material with as many pages."""
    print("\na site from nothing: benchbook build, then mkdocs build; and plain Material with as many pages")
    for lessons in SIZES:
        with tempfile.TemporaryDirectory() as name:
            _tell(lessons, *_timed(Path(name), lessons))


def _timed(folder: Path, lessons: int) -> tuple[float, float, float, float]:
    """Seconds of `benchbook build`, of that again, of `mkdocs build`, and of plain `mkdocs build`."""
    ours, plain = grow(folder / "ours", lessons), folder / "plain"
    mkdocs = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
    derived = wall([*BENCHBOOK, "build"], cwd=ours)
    again = wall([*BENCHBOOK, "build"], cwd=ours)
    shutil.copytree(ours, plain)
    strip(plain)
    return derived, again, wall(mkdocs, cwd=ours), wall(mkdocs, cwd=plain)


def _tell(lessons: int, derived: float, again: float, blocks: float, plain: float) -> None:
    print(
        f"  {lessons:3d} lessons, {lessons * len(RUNS):4d} runs: benchbook build {derived:6.1f} s,"
        f" with nothing changed {again:5.2f} s; mkdocs build {blocks:6.1f} s, plain {plain:6.1f} s;"
        f" ratio {blocks / plain:.2f}, with benchbook build {(derived + blocks) / plain:.2f} (target 1.3);"
        f" {1000 * (derived + blocks) / lessons:.0f} ms a lesson",
        flush=True,
    )


def grow(folder: Path, lessons: int) -> Path:
    """A copy of this project in which the one lesson stands many times, each with runs of its own."""
    checkout(folder)
    page = (folder / f"docs/{LESSON}.md").read_text(encoding="utf-8")
    snippet = (folder / f"snippets/{LESSON}.py").read_text(encoding="utf-8")
    model = json.loads(next((folder / f"docs/runs/{LESSON}").glob("cpu-jax-0.12*.json")).read_text())
    slugs = [f"jit/copy-{number:03d}" for number in range(lessons - 1)]
    for number, slug in enumerate(slugs):
        (folder / f"docs/{slug}.md").write_text(page.replace(LESSON, slug), encoding="utf-8")
        (folder / f"snippets/{slug}.py").write_text(snippet, encoding="utf-8")
        _record(folder, slug, model, seed=number)
    config = folder / "mkdocs.yml"
    lines = "".join(f"\n      - {slug}.md" for slug in slugs)
    nav = f"      - {LESSON}.md"
    config.write_text(config.read_text(encoding="utf-8").replace(nav, nav + lines), encoding="utf-8")
    return folder


def _record(folder: Path, slug: str, model: dict[str, Any], *, seed: int) -> None:
    """Runs of a copy: the recorded one with another place, JAX, day, and samples a bit longer each time."""
    for number, (backend, jax, day) in enumerate(RUNS):
        tree = model | {"slug": slug, "backend": backend}
        tree["environment"] = model["environment"] | {"jax": jax}
        tree["started"] = re.sub(r"-\d\dT", f"-{day:02d}T", model["started"])
        tree["measurements"] = {
            name: entry | {"samples": [[s + seed + number for s in row] for row in entry["samples"]]}
            for name, entry in model["measurements"].items()
        }
        archive.save(run.parse(run.spell(tree), path=slug), folder / "docs" / "runs")
