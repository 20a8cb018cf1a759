"""What recording costs, against running the same files by hand."""

import shutil
import sys
import tempfile
from pathlib import Path

from pairs import BENCHBOOK, Timed, tell, wall

HEADER = '# /// script\n# requires-python = ">=3.12"\n# dependencies = ["jax"]\n# ///\n\n'
LESSON = (
    HEADER
    + """# %% data
import jax
import jax.numpy as jnp

x = jnp.arange(12, dtype=jnp.float32).reshape(4, 3) / 10
w = jnp.array([1.0, 2.0, -1.0])
y = jnp.ones(4)


# %% loss
def loss(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


value, gradient = jax.jit(jax.value_and_grad(loss))(w, x, y)
print(f"{float(value):.4f}", gradient)
results = {"loss": float(value), "copy": COPY}
"""
)
EMPTY = HEADER + "# %% nothing\npass\n"
COLD_EMPTY = EMPTY.replace("# ///\n\n", "# [tool.benchbook]\n# cold = true\n# ///\n\n")
COPIES = 40
ROUNDS = 3
SETTINGS = '[tool.benchbook.backends.cpu]\nplatform = "cpu"\ncount = 1\n'


def project(folder: Path, texts: list[str]) -> Path:
    """A project in a folder, with the texts as snippets."""
    (folder / "snippets" / "copy").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(SETTINGS)
    for number, text in enumerate(texts):
        (folder / "snippets" / "copy" / f"n{number:02d}.py").write_text(text)
    return folder


def record(folder: Path, *words: str) -> float:
    """Seconds of recording everything in a project, from no runs at all."""
    shutil.rmtree(folder / ".benchbook" / "runs", ignore_errors=True)
    return wall([*BENCHBOOK, "record", *words], cwd=folder)


def forty_copies() -> None:
    """40 copies of a snippet that does not measure: recorded, and in a shell loop."""
    with tempfile.TemporaryDirectory() as name:
        folder = project(Path(name), [LESSON.replace("COPY", str(n)) for n in range(COPIES)])
        loop = f"for file in snippets/copy/*.py; do JAX_PLATFORMS=cpu {sys.executable} $file || exit 1; done"
        record(folder, "--jobs", "2", "--compile-cache")  # fills the cache
        forked, cached, by_hand = [], [], []
        for _ in range(ROUNDS):
            by_hand.append(wall(["sh", "-c", loop], cwd=folder))
            forked.append(record(folder, "--jobs", "2"))
            cached.append(record(folder, "--jobs", "2", "--compile-cache"))
    shell = Timed(f"shell loop of python over {COPIES} files", tuple(by_hand))
    tell("forty copies, a process each", Timed("record --jobs 2", tuple(forked)), shell, target=0.25)
    warm = Timed("record --jobs 2 --compile-cache, warm", tuple(cached))
    tell("the same, JAX's persistent cache warm", warm, shell, target=0.12)


def empty_snippet() -> None:
    """What one more empty snippet adds, forked and cold."""
    few, many = 1, 21
    with tempfile.TemporaryDirectory() as name:
        folders = {
            (kind, count): project(Path(name) / f"{kind}-{count}", [text] * count)
            for kind, text in (("fork", EMPTY), ("cold", COLD_EMPTY))
            for count in (few, many)
        }
        forked, cold, bare = [], [], []
        for _ in range(ROUNDS):
            for kind, kept in (("fork", forked), ("cold", cold)):
                seconds = [record(folders[kind, count], "--jobs", "1") for count in (few, many)]
                kept.append((seconds[1] - seconds[0]) / (many - few))
            started = [wall([sys.executable, "-c", "import jax"], cwd=Path(name)) for _ in range(many)]
            bare.append(sorted(started)[many // 2])
    limit = Timed("0.15 s", (0.15,) * ROUNDS)
    tell("one more empty snippet, forked", Timed("record, each", tuple(forked)), limit, target=1.0)
    imports = Timed("python -c 'import jax'", tuple(bare))
    tell("one more empty snippet, cold", Timed("record, each", tuple(cold)), imports, target=1.2)
