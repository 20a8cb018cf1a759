"""Every lesson: its anatomy, its snippet in a process, its exercises, and the mistake that it teaches."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from benchbook import archive, statistics
from benchbook.language.expression import Names, Verdict, claims_time, decide
from benchbook.lesson import snippet, starter
from benchbook.pages import page
from benchbook.project import find
from benchbook.run import Run
from tests import anatomy, factory
from tests.lies import FALSE_TIMES, LIES, FalseTime, Lie

PROJECT = find(Path(__file__).parent)
LESSONS = [slug for slug in PROJECT.slugs() if PROJECT.page_path(slug).exists()]
EXAMPLE = "jit/compile"
SEED = "5eed"
PROCESSES = 5


# Executes a snippet in a namespace of its own and writes what it leaves behind to a file.
LEAVE = """
import json, runpy, sys
names = runpy.run_path(sys.argv[1], run_name="__main__")
kept = {name: {key: value for key, value in item.items() if key != "inputs"}
        for name, item in names.get("measurements", {}).items()}
with open(sys.argv[2], "w") as file:
    json.dump({"results": names.get("results", {}), "measurements": kept}, file)
"""

# Executes the example once, then each exercise over a copy of what it left: its starter, then its solution.
EXERCISE = """
import json, sys
job = json.load(open(sys.argv[1]))
names = {"__name__": "__main__"}
exec(compile(job["example"], "example", "exec"), names)
said = {}
for exercise, versions in job["exercises"].items():
    for version, source in versions.items():
        try:
            exec(compile(source, exercise, "exec"), dict(names))
            said[f"{exercise} {version}"] = "passes"
        except Exception as error:
            said[f"{exercise} {version}"] = f"fails: {type(error).__name__}: {error}"
with open(sys.argv[2], "w") as file:
    json.dump(said, file)
"""


def load(slug: str) -> snippet.Snippet:
    """The lesson's snippet, parsed."""
    path = PROJECT.snippet_path(slug)
    return snippet.load(path, slug=slug, shown=PROJECT.relative(path))


def python(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs this interpreter on the CPU in a fresh process, away from the project."""
    words = (sys.executable, *words)
    env = os.environ | {"JAX_PLATFORMS": "cpu"}
    return subprocess.run(words, cwd=cwd, env=env, check=False, capture_output=True, text=True, timeout=120)


def leave(text: str, folder: Path, *options: str) -> dict[str, Any]:
    """What a snippet's text leaves behind when it is executed in a fresh process."""
    source, target = folder / "snippet.py", folder / "left.json"
    source.write_text(text)
    done = python(*options, "-c", LEAVE, str(source), str(target), cwd=folder)
    assert done.returncode == 0, done.stderr
    left: dict[str, Any] = json.loads(target.read_text())
    return left


Left = Callable[[str | Lie], dict[str, Any]]


@pytest.fixture(scope="module")
def left(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Left]:
    """What a lesson's snippet leaves behind, as it is or with a mistake; executed once, several at once."""
    chosen = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    lies = [params["lie"] for params in chosen if isinstance(params.get("lie"), Lie)]
    slugs = {lie.slug for lie in lies} | {
        params["slug"] for params in chosen if params.get("slug") in LESSONS
    }
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made: dict[str | Lie, Future[dict[str, Any]]] = {
            slug: pool.submit(leave, load(slug).text, tmp_path_factory.mktemp("honest"))
            for slug in sorted(slugs)
        }
        # Without assertions, which would stop the snippet before a page could tell.
        made |= {lie: pool.submit(leave, planted(lie), tmp_path_factory.mktemp("lie"), "-O") for lie in lies}
        yield lambda key: made[key].result()
        pool.shutdown(cancel_futures=True)


def planted(lie: Lie) -> str:
    """The snippet with the mistake in it."""
    text = load(lie.slug).text
    assert text.count(lie.right) == 1, lie
    return text.replace(lie.right, lie.wrong)


def claims(slug: str) -> list[str]:
    """Every claim of the lesson's page."""
    uses = page.load(PROJECT, PROJECT.page_path(slug)).uses
    return [use.options["holds"] for use in uses if use.kind == "claim"]


def says(claim: str, left: dict[str, Any]) -> Verdict:
    """What the values that a process left say to a claim."""
    return decide(claim, Names(left["results"], {}, {}))


def recorded(slug: str, folder: Path) -> Run:
    """The current reference run on ``cpu``; before there is one, a run of a few processes made here."""
    cells = load(slug).cells
    runs = archive.load_all(PROJECT, PROJECT.runs, slug)
    current = archive.current(runs, cells, without=archive.retracted(PROJECT))
    if "cpu" in current:
        return current["cpu"].run
    return _quick([leave(load(slug).text, folder) for _ in range(PROCESSES)])


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
def test_a_snippet_runs_whole_and_alone(slug: str, tmp_path: Path) -> None:
    """``python file.py`` succeeds in a fresh process and leaves nothing in the folder where it runs."""
    done = python(str(PROJECT.snippet_path(slug)), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("slug", LESSONS)
def test_an_exercise_fails_as_a_starter_and_passes_as_a_solution(slug: str, tmp_path: Path) -> None:
    """A starter parses and fails below the example; the solution in its place passes."""
    lesson = load(slug)
    solutions = {cell.name: cell.source for cell in lesson.cells if cell.solution}
    starters = {name: starter.derive(source) for name, source in solutions.items()}
    for text in starters.values():
        ast.parse(text)
    job, said = tmp_path / "job.json", tmp_path / "said.json"
    versions = {name: {"starter": starters[name], "solution": solutions[name]} for name in solutions}
    job.write_text(json.dumps({"example": lesson.example, "exercises": versions}))
    done = python("-c", EXERCISE, str(job), str(said), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    verdicts = json.loads(said.read_text())
    assert {name: verdicts[f"{name} solution"] for name in solutions} == dict.fromkeys(solutions, "passes")
    assert [name for name in solutions if verdicts[f"{name} starter"] == "passes"] == []
    assert len(solutions) == len(anatomy.LEVELS)


@pytest.mark.parametrize("slug", LESSONS)
def test_every_claim_about_values_holds_in_a_fresh_process(slug: str, left: Left) -> None:
    """What the page claims about values and counts is true of a run that is made now."""
    values = [text for text in claims(slug) if not claims_time(text, left(slug)["measurements"])]
    assert values
    assert {text: says(text, left(slug)) for text in values} == dict.fromkeys(values, Verdict.HOLDS)


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: f"{lie.slug}: {lie.wrong}"[:60])
def test_a_planted_mistake_turns_its_claim_over(lie: Lie, left: Left) -> None:
    """The claim notices the mistake, and a claim that stays blind to it shows why the page needs both."""
    assert {lie.claim, lie.blind} <= set(claims(lie.slug))
    assert says(lie.claim, left(lie.slug)) == Verdict.HOLDS
    assert (says(lie.claim, left(lie)), says(lie.blind, left(lie))) == (Verdict.FAILS, Verdict.HOLDS)


@pytest.mark.parametrize("lie", FALSE_TIMES, ids=lambda lie: f"{lie.slug}: {lie.claim}")
def test_a_false_time_turns_its_claim_over(lie: FalseTime, tmp_path: Path) -> None:
    """With the lie's measurement in the truth's place, the verdict on the recorded run is the opposite."""
    run = recorded(lie.slug, tmp_path)
    measurements = {**run.measurements, lie.truth: run.measurements[lie.lie]}
    swapped = run.model_copy(update={"measurements": measurements})
    assert lie.claim in claims(lie.slug)
    assert statistics.claim(lie.claim, run, SEED)[0] == Verdict.HOLDS
    assert statistics.claim(lie.claim, swapped, SEED)[0] == Verdict.FAILS


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_has_a_lie(slug: str) -> None:
    """No lesson goes without the mistake that it teaches."""
    assert any(lie.slug == slug for lie in (*LIES, *FALSE_TIMES))
