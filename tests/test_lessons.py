"""Every lesson: its anatomy, its snippet in a process, its exercises, and the mistake that it teaches."""

import ast
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from benchbook import archive, statistics
from benchbook.language.expression import Names, Verdict, claims_time, decide
from benchbook.lesson import snippet, starter
from benchbook.pages import page
from benchbook.project import find
from benchbook.run import Run
from tests import anatomy, cell_names, factory, side
from tests.conftest import SOAK
from tests.lies import FALSE_TIMES, LIES, FalseTime, Lie
from tests.nursery import Nursery, afresh, python
from tests.planting import harmless, last_line, planted

PROJECT = find(Path(__file__).parent)
LESSONS = [slug for slug in PROJECT.slugs() if PROJECT.page_path(slug).exists()]
EXAMPLE = "jit/compile"
SEED = "5eed"
PROCESSES = 5


# Executes a snippet in a namespace of its own and writes what it leaves behind to a file. Where assertions
# would stop it, the snippet's are left out, and not JAX's: `python -O` may have to compile all of JAX anew.
LEAVE = """
import json, sys
source, target, optimize = sys.argv[1:]
names = {"__name__": "__main__", "__file__": source}
exec(compile(open(source).read(), source, "exec", optimize=int(optimize)), names)
kept = {name: {key: value for key, value in item.items() if key != "inputs"}
        for name, item in names.get("measurements", {}).items()}
with open(target, "w") as file:
    json.dump({"results": names.get("results", {}), "measurements": kept}, file)
"""

# Executes a snippet as `python file.py` does, as the main module, and stops between the cells: it notes the
# line by which each result has its value. Then it tries each starter over a copy of what the example left.
WHOLE = """
import ast, json, sys, types
target, job = sys.argv[2], json.load(open(sys.argv[1]))
main = sys.modules["__main__"] = types.ModuleType("__main__")
main.__file__, sys.argv, sys.path[0] = job["path"], [job["path"]], job["above"]
names, body = main.__dict__, ast.parse(open(job["path"]).read(), job["path"]).body
def proceed(last):
    part = [node for node in body if node.lineno <= last]
    del body[:len(part)]
    exec(compile(ast.Module(part, []), job["path"], "exec"), names)
def attempt(f, *given):
    try:
        f(*given)
        return "passes"
    except Exception as error:
        return f"fails: {type(error).__name__}: {error}"
seen, set_by, said = {}, {}, {}
for line in job["example"]:
    proceed(line)
    for name, value in names.get("results", {}).items():
        text = json.dumps(value)
        if seen.get(name) != text:
            seen[name], set_by[name] = text, line
kept = names.get("results", {}) | {name: json.loads(text) for name, text in seen.items()}
left = {"results": kept, "measurements": {name: {} for name in names.get("measurements", {})}}
left = json.loads(json.dumps(left))
above = dict(names)
for exercise, (starter, line) in job["exercises"].items():
    said[f"{exercise} solution"] = attempt(proceed, line)
for exercise, (starter, line) in job["exercises"].items():
    said[f"{exercise} starter"] = attempt(exec, compile(starter, exercise, "exec"), dict(above))
assert not body
with open(target, "w") as file:
    json.dump(left | {"set_by": set_by, "said": said}, file)
"""


def load(slug: str) -> snippet.Snippet:
    """The lesson's snippet, parsed."""
    path = PROJECT.snippet_path(slug)
    return snippet.load(path, slug=slug, shown=PROJECT.relative(path))


def leave(text: str, folder: Path, *, nursery: Nursery | None = None) -> dict[str, Any]:
    """What a snippet's text leaves behind when it is executed in a process of its own.

    In a nursery it is executed without assertions, which would stop a mistake before a page could tell.
    """
    source, target = folder / "snippet.py", folder / "left.json"
    source.write_text(text)
    words = [LEAVE, str(source), str(target)]
    if nursery:
        nursery.run(*words, "1", folder=folder)
    else:
        afresh(*words, "0", folder=folder)
    left: dict[str, Any] = json.loads(target.read_text())
    return left


def whole(slug: str, folder: Path) -> dict[str, Any]:
    """What a lesson's example leaves in a fresh process, what its exercises said after it, and any files."""
    lesson, path = load(slug), PROJECT.snippet_path(slug)
    exercises = {
        cell.name: (starter.derive(cell.source), last_line(cell)) for cell in lesson.cells if cell.solution
    }
    example = [last_line(cell) for cell in lesson.cells if not cell.solution]
    task = {"path": str(path), "above": str(path.parent), "example": example, "exercises": exercises}
    job, target, here = folder / "job.json", folder / "left.json", folder / "here"
    here.mkdir()
    job.write_text(json.dumps(task))
    afresh(WHOLE, str(job), str(target), folder=here)
    left: dict[str, Any] = json.loads(target.read_text())
    return left | {"files": [file.name for file in here.iterdir()]}


@dataclass
class Bench:
    """Executes lessons and mistakes once each, when they are asked for, and a lesson's mistakes side by side.

    Attributes:
        pool: Where they are executed.
        lies: The mistakes that will be asked for.
        folder: Makes an empty folder.
        made: What was executed already, or is being executed.
        nurseries: Where mistakes are executed, those that are free.
    """

    pool: ThreadPoolExecutor
    lies: Sequence[Lie]
    folder: Callable[[str], Path]
    made: dict[str | Lie, Future[dict[str, Any]]] = field(default_factory=dict)
    nurseries: list[Nursery] = field(default_factory=list)

    def honest(self, slug: str) -> dict[str, Any]:
        """What a lesson leaves, as it is."""
        if slug not in self.made:
            self.made[slug] = self.pool.submit(whole, slug, self.folder("honest"))
        return self.made[slug].result()

    def mistaken(self, lie: Lie) -> dict[str, Any]:
        """What the snippet leaves with the mistake in it."""
        if lie not in self.made:
            for other in (other for other in self.lies if other.slug == lie.slug):
                self.made[other] = self.pool.submit(self._leave, self._text(other))
                control = harmless(other)
                text = self._text(control)
                if control not in self.made and not load(lie.slug).text.startswith(text):
                    self.made[control] = self.pool.submit(self._leave, text)
        return self.made[lie].result()

    def control(self, lie: Lie) -> dict[str, Any]:
        """What the same cells leave without the mistake: the honest process, where no cell was emptied."""
        return self.made[harmless(lie)].result() if harmless(lie) in self.made else self.honest(lie.slug)

    def _text(self, lie: Lie) -> str:
        return planted(lie, load(lie.slug), self.honest(lie.slug)["set_by"], whole=SOAK)

    def _leave(self, text: str) -> dict[str, Any]:
        """What a mistake leaves, in a nursery that no other thread uses at the time."""
        try:
            nursery = self.nurseries.pop()
        except IndexError:
            nursery = Nursery()
        try:
            return leave(text, self.folder("lie"), nursery=nursery)
        finally:
            self.nurseries.append(nursery)


@pytest.fixture(scope="session")
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Executes a lesson once for all tests that ask what it leaves."""
    chosen = [item.callspec.params.get("lie") for item in request.session.items if hasattr(item, "callspec")]
    lies = [lie for lie in chosen if isinstance(lie, Lie)]
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // side.WORKERS)) as pool:
        bench = Bench(pool, lies, tmp_path_factory.mktemp)
        yield bench
        pool.shutdown(cancel_futures=True)
    for nursery in bench.nurseries:
        nursery.close()


def claims(slug: str) -> list[str]:
    """Every claim of the lesson's page."""
    uses = page.load(PROJECT, PROJECT.page_path(slug)).uses
    return [use.options["holds"] for use in uses if use.kind == "claim"]


def says(claim: str, left: dict[str, Any]) -> Verdict:
    """What the values that a process left say to a claim."""
    return decide(claim, Names(left["results"], {}, {}))


def recorded(slug: str) -> Run | None:
    """The current reference run on ``cpu``, if there is one."""
    cells = load(slug).cells
    runs = archive.load_all(PROJECT, PROJECT.runs, slug)
    current = archive.current(runs, cells, without=archive.retracted(PROJECT))
    return current["cpu"].run if "cpu" in current else None


def _quick(processes: Sequence[dict[str, Any]]) -> Run:
    method = {"wait": "each call", "excludes": "as the snippet says", "inputs": ["float32[1]"]}
    measured = {
        name: method
        | {"warmup": item["warmup"], "calls": item["calls"], "unit": item.get("unit", "ns")}
        | {"samples": [_stored(left["measurements"][name]) for left in processes]}
        for name, item in processes[0]["measurements"].items()
    }
    return factory.make_run(measurements=measured, results=processes[0]["results"], figures={})


def _stored(item: dict[str, Any]) -> list[float]:
    """Samples as a run stores them: seconds as whole nanoseconds, other units as they are."""
    return item["samples"] if "unit" in item else [round(seconds * 1e9) for seconds in item["samples"]]


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_has_the_whole_anatomy(slug: str) -> None:
    """Every part is there, in its order, with what belongs to it."""
    assert anatomy.shortcomings(PROJECT.page_path(slug).read_text(), slug) == []


@pytest.mark.parametrize("part", anatomy.PARTS)
def test_a_part_that_is_missing_is_noticed(part: str) -> None:
    """The anatomy is no formality: a lesson without any one part falls short."""
    slug = EXAMPLE
    text = PROJECT.page_path(slug).read_text()
    gone = next(s for s in anatomy.sections(text, 2) if re.search(anatomy.PARTS[part], s.heading.lower()))
    assert anatomy.shortcomings(text.replace(f"## {gone.heading}{gone.body}", ""), slug) != []


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        (r"^//// answer \| Expected$", "//// answer"),
        (r"^///// predict .*$", "///// admonition | Remark"),
        (r"^//// answer.*$", "//// admonition | Remark"),
        (r"(?<=^//// answer\n)(?:[^/\n].*\n)+", "/// cell | jit/compile losses\n///\n"),
        (r"(?<=^How long is the list after that, and why)\?", "."),
        (r"(?<=^How many new traces does that cause\?\n)", "\n/// output | jit/compile shapes\n///\n"),
        (r"^/// hint$", "/// admonition | Remark"),
        (r"(?<=^/// hint\n)(?:[^/\n].*\n)+", "-\n"),
        (r"^/// plan$", "/// functions"),
        (r"(?<=^/// plan\n)1\. ", "- "),
        (r"^/// figure \| .*$", "/// output | jit/compile"),
        (r"^    right: true$", ""),
        (r"(?<=^    right: true\n)(?:[^/\n].*\n)+", "-\n"),
        (r"^\*\*Task\.\*\*$", ""),
    ],
)
def test_a_gap_inside_a_part_is_noticed(line: str, instead: str) -> None:
    """A part that lost one of its pieces falls short."""
    slug = EXAMPLE
    text = PROJECT.page_path(slug).read_text()
    cut, count = re.subn(line, instead, text, count=1, flags=re.MULTILINE)
    assert count == 1
    assert anatomy.shortcomings(cut, slug) != []


QUOTED = """
import jax

def ask(f):
    try:
        jax.jit(f)(1.0)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")

ask(lambda x: x if x > 0 else -x)
ask(lambda x: float(x))
ask(lambda x: x.item())
ask(lambda x: jax.jit(abs).lower(1.0).compile()(1))
ask(lambda x: jax.ad_checkpoint.print_saved_residuals(abs, x))
ask(lambda x: jax.lax.dot(x[None], x[None], precision="TF32_TF32_F32"))
ask(lambda x: jax.default_matmul_precision(jax.lax.DotAlgorithmPreset.F32_F32_F32).__enter__())

def gone(ask):
    state = jax.numpy.zeros(4)
    give = jax.jit(lambda x, y: (x + 1, y + 1), donate_argnums=(0, 1))
    try:
        ask(give, state)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")

gone(lambda give, state: (give(state, state + 1), state + 1))
gone(lambda give, state: give(state, state))
gone(lambda _, state: jax.jit(lambda x, y: x * y, donate_argnums=0)(state, state))

def total(x):
    start = jax.numpy.zeros((), "float32")
    return jax.lax.scan(lambda c, y: (c + y, None), start, x + jax.numpy.zeros(3))[0]

with jax.enable_x64(True):
    ask(total)
jax.config.update("jax_explicit_x64_dtypes", "error")
ask(lambda x: x + jax.numpy.zeros(3, "float64"))
jax.config.update("jax_explicit_x64_dtypes", "warn")

with jax.profiler.trace("once"):
    try:
        jax.profiler.start_trace("twice")
    except RuntimeError as error:
        print(f"RuntimeError: {str(error).partition('. ')[2]}")
"""


def test_an_error_that_a_lesson_quotes_is_worded_as_jax_words_it(tmp_path: Path) -> None:
    """Whoever searches for the text of an error finds the lesson that explains it."""
    said = python("-c", QUOTED, cwd=tmp_path).stdout
    pages = [PROJECT.page_path(slug).read_text() for slug in LESSONS]
    quoted = {pair for text in pages for pair in re.findall(r"\[`(\w+Error)`\]\([^)]+\): `([^`]+)`", text)}
    assert len(quoted) >= 2
    assert [pair for pair in quoted if ": ".join(pair) not in said] == []


@pytest.mark.parametrize("slug", LESSONS)
def test_prose_has_one_sentence_a_line(slug: str) -> None:
    """A paragraph's line ends with its sentence, so that a change touches one line."""
    text = anatomy.FENCED.sub("", PROJECT.page_path(slug).read_text())
    prose = [line for line in text.splitlines() if line and line[0] not in "|-/ #" and not line[0].isdigit()]
    assert [line for line in prose if re.search(r"[a-z)][.?!] [A-Z]", line)] == []


@pytest.mark.parametrize("slug", LESSONS)
def test_a_snippet_runs_whole_and_alone(slug: str, bench: Bench) -> None:
    """From its first cell to its last solution it succeeds in a fresh process, and leaves no file there."""
    left = bench.honest(slug)
    assert [
        said for name, said in left["said"].items() if name.endswith("solution") and said != "passes"
    ] == []
    assert left["files"] == []


@pytest.mark.parametrize("slug", LESSONS if SOAK else [EXAMPLE])
def test_a_snippet_is_a_program(slug: str, tmp_path: Path) -> None:
    """``python file.py`` succeeds and leaves nothing in the folder where it runs."""
    done = python(str(PROJECT.snippet_path(slug)), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("slug", LESSONS)
def test_an_exercise_needs_no_other(slug: str) -> None:
    """No solution reads a name that the solution of another exercise above it binds."""
    above: set[str] = set()
    for source in (cell.source for cell in load(slug).cells if cell.solution):
        assert cell_names.reads(source) & above == set()
        above |= cell_names.binds(source)


@pytest.mark.parametrize("slug", LESSONS)
def test_an_exercise_fails_as_a_starter_and_passes_as_a_solution(slug: str, bench: Bench) -> None:
    """A starter parses and fails below the example; the solution in its place passes."""
    solutions = {cell.name: cell.source for cell in load(slug).cells if cell.solution}
    for source in solutions.values():
        ast.parse(starter.derive(source))
    said = bench.honest(slug)["said"]
    assert {name: said[f"{name} solution"] for name in solutions} == dict.fromkeys(solutions, "passes")
    assert [name for name in solutions if said[f"{name} starter"] == "passes"] == []
    assert len(solutions) == len(anatomy.LEVELS)


@pytest.mark.parametrize("slug", LESSONS)
def test_every_claim_about_values_holds_in_a_fresh_process(slug: str, bench: Bench) -> None:
    """What the page claims about values and counts is true of a run that is made now."""
    left = bench.honest(slug)
    values = [text for text in claims(slug) if not claims_time(text, left["measurements"])]
    assert values
    assert {text: says(text, left) for text in values} == dict.fromkeys(values, Verdict.HOLDS)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: f"{lie.slug}: {lie.wrong}"[:60])
def test_a_planted_mistake_turns_its_claim_over(lie: Lie, bench: Bench) -> None:
    """The claim notices the mistake, and a claim that stays blind to it shows why the page needs both."""
    assert {lie.claim, lie.blind} <= set(claims(lie.slug))
    left, control = bench.mistaken(lie), bench.control(lie)
    assert (says(lie.claim, control), says(lie.blind, control)) == (Verdict.HOLDS, Verdict.HOLDS)
    assert (says(lie.claim, left), says(lie.blind, left)) == (Verdict.FAILS, Verdict.HOLDS)


@pytest.mark.parametrize("lie", FALSE_TIMES, ids=lambda lie: f"{lie.slug}: {lie.claim}")
def test_a_false_time_turns_its_claim_over(
    lie: FalseTime, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """With the lie's measurement in the truth's place, the verdict on the recorded run is the opposite.

    A lesson that has no run yet is measured here, by a few processes that have the machine to themselves.
    """
    run = recorded(lie.slug)
    if run is None:
        request.getfixturevalue("alone")
        run = _quick([leave(load(lie.slug).text, tmp_path) for _ in range(PROCESSES)])
    measurements = {**run.measurements, lie.truth: run.measurements[lie.lie]}
    swapped = run.model_copy(update={"measurements": measurements})
    assert lie.claim in claims(lie.slug)
    assert statistics.claim(lie.claim, run, SEED)[0] == Verdict.HOLDS
    assert statistics.claim(lie.claim, swapped, SEED)[0] == Verdict.FAILS


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_has_a_lie(slug: str) -> None:
    """No lesson goes without the mistake that it teaches."""
    assert any(lie.slug == slug for lie in (*LIES, *FALSE_TIMES))
