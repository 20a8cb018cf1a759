"""Every rule of `check`: what keeps it leaves no problem, what breaks it is named with place and mend."""

import getpass
import gzip
import hashlib
import os
import platform
import shutil
from html import unescape
from importlib import metadata
from pathlib import Path

import markdown
import pytest

from benchbook import archive
from benchbook.building import builder
from benchbook.check import RULES, Problem, check, fix
from benchbook.project import Project
from benchbook.rules import inventory
from benchbook.rules.built import leftovers, no_leftovers
from tests.factory import SNIPPET, make_project, make_run, run_tree, store_run

PAGE = """\
---
title: The lesson
description: A lesson that adds.
chapter: chapter
order: 1
minutes: 30
---

# The lesson

/// cell | chapter/lesson total
///

/// claim | chapter/lesson
    holds: total == 3
The total is three.
///

/// claim | chapter/lesson
    holds: eager < compiled
Eager calls are faster, which the run denies.
///
"""
ABOUT = "---\ndescription: A chapter.\n---\n"
NAV = "nav:\n  - Chapter:\n      - chapter/index.md\n      - chapter/lesson.md\n"
HARNESS = '"""Shared."""\n\n# %% harness\nimport time\n\n\ndef now():\n    return time.perf_counter()\n'


@pytest.fixture
def whole(project: Project) -> Project:
    """A project in which everything holds."""
    (project.docs / "chapter").mkdir()
    (project.docs / "chapter" / "index.md").write_text(f"{ABOUT}# Chapter\n")
    (project.docs / "chapter" / "lesson.md").write_text(PAGE)
    (project.root / "mkdocs.yml").write_text(NAV)
    store_run(project, environment=_environment(metadata.version("jax")))
    return project


def _environment(jax: str) -> dict[str, object]:
    return run_tree()["environment"] | {"jax": jax}


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def _run_file(project: Project) -> Path:
    return next((project.runs / "chapter" / "lesson").glob("*.json"))


def _only(project: Project, built: Path | None = None) -> Problem:
    problems = check(project, built=built)
    assert len(problems) == 1, problems
    return problems[0]


def test_a_project_in_which_everything_holds_has_no_problem(whole: Project) -> None:
    """The rules can be kept, all at once; a claim over times that does not hold is none of them."""
    assert check(whole) == []


def test_an_empty_project_has_no_problem(tmp_path: Path) -> None:
    """A project without lessons, docs or mkdocs.yml is checked, not refused."""
    empty = make_project(tmp_path / "empty", {})
    empty.docs.rmdir()
    assert check(empty) == []


def test_a_lesson_that_is_not_recorded_is_a_problem_of_its_snippet(whole: Project) -> None:
    """It names the command that mends it."""
    _run_file(whole).unlink()
    problem = _only(whole)
    assert (problem.path, problem.message) == ("snippets/chapter/lesson.py", "no run on cpu")
    assert problem.mend == "benchbook record chapter/lesson --accept"


def test_problems_are_in_order_of_path_and_line(whole: Project) -> None:
    """The order does not hang on the order of rules."""
    _edit(whole.page_path("chapter/lesson"), "# The lesson", "# The lesson\n\nIt takes 5 ms.\nIt takes 4 ms.")
    (whole.docs / "chapter" / "index.md").write_text(f"{ABOUT}It takes 3 ms.\n")
    (whole.runs / "notes.txt").write_text("")
    places = [(problem.path, problem.line) for problem in check(whole)]
    assert places == [
        ("docs/chapter/index.md", 4),
        ("docs/chapter/lesson.md", 11),
        ("docs/chapter/lesson.md", 12),
        ("docs/runs/notes.txt", None),
    ]


def test_every_rule_says_what_must_hold() -> None:
    """The registry reads as the list of rules."""
    assert all(rule.__doc__ for rule in RULES)
    assert len({(rule.__module__, rule.__name__) for rule in RULES}) == len(RULES)


# Run files


def test_a_changed_digit_is_found(whole: Project) -> None:
    """The digest in a run's name guards every byte of it."""
    _edit(_run_file(whole), '"total": 3.0', '"total": 3.5')
    problems = [problem for problem in check(whole) if problem.path.startswith("docs/runs/")]
    assert ["the file was changed" in problem.message for problem in problems] == [True]


def test_a_run_cut_short_under_a_right_name_is_found(whole: Project) -> None:
    """A digest alone makes no run."""
    data = _run_file(whole).read_bytes()[:900]
    _run_file(whole).unlink()
    name = f"cpu-jax-0.12.0-{hashlib.sha256(data).hexdigest()[:12]}.json"
    (whole.runs / "chapter" / "lesson" / name).write_bytes(data)
    assert any("not a whole run file" in problem.message for problem in check(whole))


def test_another_spelling_of_a_run_is_found(whole: Project) -> None:
    """A run has one spelling, so that equal runs are equal files."""
    data = _run_file(whole).read_bytes().replace(b'\n "slug"', b'\n  "slug"')
    name = f"cpu-jax-{metadata.version('jax')}-{hashlib.sha256(data).hexdigest()[:12]}.json"
    _run_file(whole).unlink()
    (whole.runs / "chapter" / "lesson" / name).write_bytes(data)
    assert any("not spelled as benchbook writes it" in problem.message for problem in check(whole))


def _printing(project: Project, text: str) -> archive.Stored:
    """A further run, one cell of which printed this."""
    cells = run_tree()["cells"]
    return store_run(project, cells=[cells[0] | {"stdout": text}, *cells[1:]])


@pytest.fixture
def somebody(whole: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The whole project, on a machine with a name and a user with a home."""
    monkeypatch.setenv("HOME", "/srv/people/ada")
    monkeypatch.setattr(platform, "node", lambda: "engine-room")
    monkeypatch.setattr(getpass, "getuser", lambda: "ada")
    return whole


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("wrote /srv/people/ada/notes.txt\n", "the home path"),
        ("on engine-room\n", "this host's name"),
        ("ready\nengine-room: done\n", "this host's name"),
        ("'C:\\Users\\ada\\x'\n", "the user's name"),
    ],
)
def test_a_run_that_tells_of_this_machine_is_refused(somebody: Project, text: str, what: str) -> None:
    """It gates, wherever in a line the name stands, and a retraction does not mend it."""
    stored = _printing(somebody, text)
    (somebody.runs / "retracted.toml").write_text(f'["{stored.id}"]\nreason = "r"\ndate = "2026-01-02"\n')
    problem = _only(somebody)
    assert (problem.path, problem.gates) == (somebody.relative(stored.path), True)
    assert problem.message.startswith(f"holds {what}")
    assert problem.mend.startswith("remove the file before you commit")


def test_a_run_that_tells_of_another_machine_is_no_problem(somebody: Project) -> None:
    """Words that are part of longer ones, and names of others, tell nothing of this machine."""
    _printing(somebody, "on engine-rooms, /srv/people/grace, Canada, ada\n")
    assert check(somebody) == []


def _lie(group: str, **changes: object) -> dict[str, object]:
    """A change of one group of a run."""
    return {group: run_tree()[group] | changes}


def _device(**changes: object) -> dict[str, object]:
    hardware = run_tree()["hardware"]
    return {"hardware": hardware | {"device": hardware["device"] | changes}}


LIES = {
    "digest": (_lie("source", sha256="0" * 64), "source.sha256 is not the digest of source.text"),
    "text": (_lie("source", text=SNIPPET + "# more\n"), "source.sha256 is not the digest of source.text"),
    "a cell more": (
        {
            "cells": [
                *run_tree()["cells"],
                run_tree()["cells"][0] | {"name": "other", "results": [], "measurements": []},
            ]
        },
        "its cells have not the names and tags",
    ),
    "cells in another order": ({"cells": run_tree()["cells"][::-1]}, "its cells have not the names and tags"),
    "a tag": (
        {"cells": [run_tree()["cells"][0] | {"tags": ["varies"]}, *run_tree()["cells"][1:]]},
        "its cells have not the names and tags",
    ),
    "platform": (_device(platform="gpu"), "backend 'cpu' is not 1 x gpu (cpu)"),
    "kind": (_device(kind="cpu or so"), "backend 'cpu' is not 1 x cpu (cpu or so)"),
    "count": (_device(count=8), "backend 'cpu' is not 8 x cpu (cpu)"),
    "samples": (
        {
            "measurements": {
                n: m | {"calls": 3} for n, m in run_tree()["measurements"].items() if n == "eager"
            }
        },
        "measurement 'eager' has 4 samples of a process that timed 3 calls",
    ),
    "no time": (_lie("method", process_ns=[1, 1, 0, 1, 1]), "a process took no time"),
    "an end too soon": (
        {"ended": "2026-01-02T03:04:04Z"},
        "it ended at 2026-01-02T03:04:04Z, before it started at 2026-01-02T03:04:05Z",
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_a_run_that_contradicts_itself_is_found(whole: Project, name: str) -> None:
    """It gates, until the run is taken away or retracted."""
    changes, message = LIES[name]
    stored = store_run(whole, **{"started": "2026-01-02T03:04:05Z", **changes})
    (problem,) = [p for p in check(whole) if message in p.message]
    assert (problem.path, problem.gates) == (whole.relative(stored.path), True)
    (whole.runs / "retracted.toml").write_text(f'["{stored.id}"]\nreason = "r"\ndate = "2026-01-02"\n')
    assert check(whole) == []


def test_a_run_of_a_backend_that_is_gone_or_of_an_older_format_is_no_lie(whole: Project) -> None:
    """Nothing can be held against it."""
    store_run(whole, backend="old", **_device(platform="gpu", kind="any", count=3))
    store_run(whole, environment=_environment("0.1.0"), source_text="print('no cell')\n")
    assert check(whole) == []


def test_what_cannot_be_read_is_a_problem(whole: Project) -> None:
    """A folder or a link among the runs is named with a mend, and hides nothing else."""
    runs = _run_file(whole).parent
    (runs / "cpu-jax-0.1.0-000000000000.json").mkdir()
    (runs / "cpu-jax-0.1.0-000000000001.json").symlink_to("gone")
    (whole.runs / "notes").symlink_to("gone")
    (whole.runs / "retracted.toml").mkdir()
    found = {problem.path.removeprefix("docs/runs/"): problem.message for problem in check(whole)}
    assert found["chapter/lesson/cpu-jax-0.1.0-000000000000.json"] == "cannot be read: Is a directory"
    assert found["chapter/lesson/cpu-jax-0.1.0-000000000001.json"].startswith("cannot be read: No such file")
    assert found["notes"] == "no run, no artefact of one"
    assert found["retracted.toml"] == "cannot be read: Is a directory"


@pytest.fixture
def artefact(whole: Project) -> Path:
    """The artefact of a further run."""
    entry = {"path": "trace.gz", "type": "application/gzip", "size": 3}
    run = make_run(artefacts={"trace": entry | {"sha256": hashlib.sha256(b"abc").hexdigest()}})
    stored = archive.save(run, whole.runs, {"trace.gz": b"abc"})
    return archive.artefact_path(stored.path, "trace.gz")


def test_a_whole_artefact_is_no_problem(whole: Project, artefact: Path) -> None:
    """It lies beside its run, and strays not."""
    assert artefact.exists()
    assert check(whole) == []


@pytest.mark.parametrize(
    ("data", "message"),
    [(None, "it is not there"), (b"ab", "it has 2 bytes and not 3"), (b"abd", "its sha256 is another")],
)
def test_an_artefact_that_is_not_the_recorded_one_is_found(
    whole: Project, artefact: Path, data: bytes | None, message: str
) -> None:
    """Missing, cut short or changed."""
    artefact.unlink() if data is None else artefact.write_bytes(data)
    problem = _only(whole)
    assert problem.path == whole.relative(artefact)
    assert problem.message.startswith(message)


@pytest.mark.parametrize("is_folder", [False, True])
def test_an_artefact_that_is_a_link_is_found(whole: Project, artefact: Path, *, is_folder: bool) -> None:
    """What it leads to is no part of the checkout, though it has the same bytes."""
    path = artefact.parent if is_folder else artefact
    path.symlink_to(path.rename(whole.root / "elsewhere"))
    found = {problem.message.partition(",")[0] for problem in check(whole)}
    assert "it is a link to a file elsewhere" in found


def test_an_artefact_that_grew_is_not_read(whole: Project, artefact: Path) -> None:
    """Its size says enough, and may be past what memory holds."""
    os.truncate(artefact, 2**40)
    assert _only(whole).message.startswith(f"it has {2**40} bytes and not 3")


def _leaving(project: Project, data: bytes) -> archive.Stored:
    """A further run, which left these bytes behind."""
    entry = {"path": "trace.gz", "type": "application/gzip", "size": len(data)}
    run = make_run(artefacts={"trace": entry | {"sha256": hashlib.sha256(data).hexdigest()}})
    return archive.save(run, project.runs, {"trace.gz": data})


def _retract(project: Project, stored: archive.Stored) -> None:
    (project.runs / "retracted.toml").write_text(f'["{stored.id}"]\nreason = "r"\ndate = "2026-01-02"\n')


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (gzip.compress(b"in /opt/x/y", mtime=0), "holds the path /opt/x/y"),
        (b"PK\x03\x04", "is packed with zip, and cannot be searched"),
    ],
)
def test_an_artefact_that_tells_of_a_machine_gates_until_it_is_retracted(
    somebody: Project, data: bytes, message: str
) -> None:
    """The file is named, what was found in it, and the mend."""
    stored = _leaving(somebody, data)
    problem = _only(somebody)
    assert problem.path == somebody.relative(archive.artefact_path(stored.path, "trace.gz"))
    assert (problem.message, problem.gates) == (message, True)
    assert problem.mend.startswith("remove the run with its files before you commit")
    _retract(somebody, stored)
    assert check(somebody) == []


def test_an_artefact_that_tells_who_somebody_is_gates_for_good(somebody: Project) -> None:
    """As a run does: what is committed stays readable, retracted or not."""
    stored = _leaving(somebody, gzip.compress(b"/srv/people/ada/x", mtime=0))
    _retract(somebody, stored)
    assert _only(somebody).message == "holds the home path"


@pytest.mark.parametrize(
    "name",
    ["notes.txt", "chapter/lesson/.writing-x", "chapter/lesson/other/trace.gz", "chapter/cpu-jax-1-a.json"],
)
def test_a_file_that_is_no_run_strays(whole: Project, name: str) -> None:
    """Only runs, their artefacts, retractions and derived pages lie below docs/runs."""
    path = whole.runs / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    problem = _only(whole)
    assert (problem.path, problem.mend) == (f"docs/runs/{name}", "move it out of docs/runs")


def test_a_file_beside_an_artefact_strays(whole: Project, artefact: Path) -> None:
    """The folder of a run's artefacts holds those that the run names, and no other."""
    for name in ("old.gz", "index.md"):
        (artefact.parent / name).write_bytes(b"abc")
        assert _only(whole).path == whole.relative(artefact.parent / name)
        (artefact.parent / name).unlink()


def test_derived_run_pages_do_not_stray(whole: Project) -> None:
    """`build` writes index.md files among the runs."""
    (whole.runs / "chapter" / "lesson" / "index.md").write_text("It took 5 ms.\n")
    assert check(whole) == []


def test_a_retraction_names_a_run(whole: Project) -> None:
    """A mistyped id would leave the wrong run standing."""
    text = '# Runs found wrong.\n["000000000000"]\nreason = "noise"\ndate = "2026-01-02"\n'
    (whole.runs / "retracted.toml").write_text(text)
    problem = _only(whole)
    assert (problem.path, problem.line) == ("docs/runs/retracted.toml", 2)
    assert problem.message == "there is no run 000000000000"


def test_a_broken_list_of_retractions_is_one_problem(whole: Project) -> None:
    """It is named, and the other rules still speak."""
    (whole.runs / "retracted.toml").write_text("not toml")
    assert any(problem.path == "docs/runs/retracted.toml" for problem in check(whole))


# Age


def test_a_changed_cell_is_stale_on_cpu(whole: Project) -> None:
    """The problem points at the first cell that the run does not show."""
    _edit(whole.snippet_path("chapter/lesson"), "jnp.arange(3.0)", "jnp.arange(4.0)")
    problem = _only(whole)
    assert (problem.path, problem.line) == ("snippets/chapter/lesson.py", 10)
    assert "is stale from the cell 'inputs' on" in problem.message


def test_a_run_of_a_cell_that_is_gone_is_stale(whole: Project) -> None:
    """What a deleted cell left is neither shown as current nor held to claims."""
    _run_file(whole).unlink()
    lesson = SNIPPET[: SNIPPET.index("# %% exercise")]
    whole.snippet_path("chapter/lesson").write_text(lesson)
    gone = {"name": "more", "tags": [], "stdout": "", "stderr": ""}
    changes = {"environment": _environment(metadata.version("jax")), "results": {"total": 5.0, "traces": 2}}
    stored = store_run(
        whole,
        source_text=lesson + "# %% more\ntotal = 5.0\n",
        cells=[*run_tree()["cells"][:2], gone],
        **changes,
    )
    problem = _only(whole)
    assert (problem.path, problem.gates) == ("snippets/chapter/lesson.py", True)
    assert problem.message == f"run {stored.id} on cpu is stale: it ran a cell that is gone"
    assert problem.mend == "benchbook record chapter/lesson --accept"


@pytest.mark.parametrize(("processes", "noted"), [(1, "1 process"), (9, "9 processes"), (10, None)])
def test_a_measurement_in_few_processes_is_a_note(whole: Project, processes: int, noted: str | None) -> None:
    """A quick run can be accepted, and the check says that it is one; a snippet may also not measure."""
    method = run_tree()["method"] | {"processes": processes, "process_ns": [1] * processes}
    rows = {n: m | {"samples": [[5, 6]] * processes} for n, m in run_tree()["measurements"].items()}
    given = {"method": method, "measurements": rows, "environment": _environment(metadata.version("jax"))}
    _run_file(whole).unlink()
    store_run(whole, **given)
    assert check(whole) == []
    _run_file(whole).unlink()
    _edit(whole.snippet_path("chapter/lesson"), "# %% exercise", "measurements = {}\n\n# %% exercise")
    stored = store_run(whole, source_text=whole.snippet_path("chapter/lesson").read_text(), **given)
    found = [(p.path, p.message, p.gates) for p in check(whole)]
    expected = (whole.relative(stored.path), f"{noted}, and the site records 10", False)
    assert found == ([] if noted is None else [expected])


def test_a_changed_exercise_is_stale_too(whole: Project) -> None:
    """Its recorded output would not be that of the solution shown."""
    _edit(whole.snippet_path("chapter/lesson"), "doubled = 2 * x", "doubled = x + x")
    assert "is stale from the cell 'exercise' on" in _only(whole).message


def test_a_comment_makes_nothing_stale(whole: Project) -> None:
    """Layout and comments are no change of what ran."""
    _edit(whole.snippet_path("chapter/lesson"), "x = jnp", "# the input\nx = jnp")
    assert check(whole) == []


def test_a_stale_run_of_another_backend_is_no_problem(whole: Project) -> None:
    """Who has no accelerator can still change a lesson."""
    device = run_tree()["hardware"]["device"] | {"platform": "gpu", "kind": "NVIDIA H100"}
    hardware = run_tree()["hardware"] | {"device": device}
    store_run(whole, backend="cuda", hardware=hardware, source_text=SNIPPET.replace("3.0", "5.0"))
    assert check(whole) == []


def test_a_retracted_run_does_not_stand_for_a_lesson(whole: Project) -> None:
    """After a retraction the lesson wants a new run."""
    run_id = _run_file(whole).stem[-12:]
    text = f'[{run_id}]\nreason = "noise"\ndate = "2026-01-02"\n'
    (whole.runs / "retracted.toml").write_text(text)
    assert _only(whole).message == "no run on cpu"


def test_a_newer_jax_is_a_note(whole: Project) -> None:
    """It is said, and does not gate."""
    _run_file(whole).unlink()
    store_run(whole, environment=_environment("0.1.0"))
    problem = _only(whole)
    assert not problem.gates
    assert problem.message.startswith(f"jax {metadata.version('jax')} is installed, and newer")
    store_run(whole, environment=_environment(metadata.version("jax")))
    assert check(whole) == []


# Lessons


def test_a_snippet_without_page_and_a_page_without_snippet_are_found(whole: Project) -> None:
    """One slug names both."""
    whole.page_path("chapter/lesson").rename(whole.page_path("chapter/other"))
    messages = {problem.path: problem.message for problem in check(whole)}
    assert messages["snippets/chapter/lesson.py"] == "there is no docs/chapter/lesson.md"
    assert messages["docs/chapter/other.md"] == "there is no snippets/chapter/other.py"


def test_a_file_that_no_slug_can_name_is_found(whole: Project) -> None:
    """It would never be recorded, in silence."""
    (whole.snippets / "chapter" / "Cache_keys.py").write_text(SNIPPET)
    assert _only(whole).message == "'chapter/Cache_keys' is no slug"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title: The lesson\n", "", "no right 'title'"),
        ("title: The lesson", "title: 5", "no right 'title'"),
        ("order: 1", "order: first", "no right 'order'"),
        ("order: 1", "order: true", "no right 'order'"),
        ("minutes: 30", "minutes: -30", "no right 'minutes'"),
        ("minutes: 30", "minutes: 0.5", "no right 'minutes'"),
        ("chapter: chapter", "chapter: other", "its chapter is 'other', its folder 'chapter'"),
    ],
)
def test_front_matter_is_checked(whole: Project, old: str, new: str, message: str) -> None:
    """A missing, mistyped or wrong entry is named."""
    _edit(whole.page_path("chapter/lesson"), old, new)
    problem = _only(whole)
    assert (problem.path, problem.line) == ("docs/chapter/lesson.md", 1)
    assert message in problem.message


def test_a_sentence_that_is_still_to_be_written_is_found(whole: Project) -> None:
    """A skeleton's placeholder in prose is a problem with its line; one in code is a learner's."""
    path = whole.page_path("chapter/lesson")
    path.write_text(path.read_text() + "\nTODO: say why.\n\n```python\nx = ...  # TODO: yours\n```\n")
    (problem,) = [found for found in check(whole) if "not written yet" in found.message]
    assert problem.line == path.read_text().splitlines().index("TODO: say why.") + 1


def test_a_line_wider_than_the_page_is_found(whole: Project) -> None:
    """The line is named, so that a reader never has to scroll through code."""
    path = whole.snippet_path("chapter/lesson")
    path.write_text(path.read_text() + "# " + "x" * 90 + "\n")
    (problem,) = [p for p in check(whole) if "characters wide" in p.message]
    assert (problem.path, problem.line) == (whole.relative(path), len(path.read_text().splitlines()))


def test_a_lesson_that_the_navigation_forgets_is_found(whole: Project) -> None:
    """MkDocs would build it where nobody finds it."""
    _edit(whole.root / "mkdocs.yml", "      - chapter/lesson.md\n", "")
    problem = _only(whole)
    assert (problem.path, problem.message) == ("mkdocs.yml", "its nav does not list chapter/lesson.md")


def test_an_entry_of_the_navigation_that_is_not_there_is_found(whole: Project) -> None:
    """With its line; addresses and derived pages are left alone, tags are passed over."""
    more = "  - Run pages: runs/chapter/lesson/index.md\n  - JAX: https://docs.jax.dev\n  - Gone: gone.md\n"
    tags = 'site_url: !ENV [SITE_URL, ""]\nemoji: !!python/name:material.extensions.emoji.twemoji\n'
    (whole.root / "mkdocs.yml").write_text(tags + NAV + more)
    problem = _only(whole)
    assert (problem.line, problem.message) == (9, "its nav lists gone.md, which is not there")


def test_a_navigation_that_is_no_yaml_is_found(whole: Project) -> None:
    """With the line where reading stopped."""
    (whole.root / "mkdocs.yml").write_text("nav: [\n")
    assert _only(whole).message == "not valid YAML"


def test_a_broken_snippet_hides_no_other_problem(whole: Project) -> None:
    """What cannot be read is one problem among the others."""
    whole.snippet_path("chapter/lesson").write_text(SNIPPET.replace("# %% total", "# %% Not A Name"))
    (whole.docs / "chapter" / "index.md").write_text("It takes 5 ms.\n")
    found = [(problem.path, problem.line) for problem in check(whole)]
    assert ("snippets/chapter/lesson.py", 14) in found
    assert ("docs/chapter/index.md", 1) in found


# Pages


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("lesson total\n", "lesson totals\n", 11),
        ("/// cell |", "/// cells |", 11),
        ("# The lesson\n", "# The lesson\n:value[chapter/lesson totals]\n", 10),
        ("# The lesson\n", "# The lesson\n:value[chapter/missing total]\n", 10),
        ("holds: eager < compiled", "holds: eager < compile", 19),
    ],
)
def test_a_page_that_names_what_is_not_there_is_found(whole: Project, old: str, new: str, line: int) -> None:
    """A wrong cell, block, value, lesson or measurement, with its line."""
    _edit(whole.page_path("chapter/lesson"), old, new)
    problem = _only(whole)
    assert (problem.path, problem.line) == ("docs/chapter/lesson.md", line)
    assert problem.mend


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("It is $\\nope x$.\n", 10),
        ("Right: $a$, and `$\\nope$`.\n\n    echo $x_$\n\n$$\n\\nope\n$$\n", 15),
        ("/// details | It is $\\nope$\nText.\n///\n", 10),
        ("- item\n\n    /// details | A\n        open: true\n    $\\nope$\n    ///\n", 14),
        ("| a |\n| --- |\n| $\\nope$ |\n", 12),
    ],
)
def test_a_wrong_formula_is_found_without_a_site(whole: Project, text: str, line: int) -> None:
    """In sentences, by itself, in a table, in a block and behind its bar; what is code is none."""
    _edit(whole.page_path("chapter/lesson"), "# The lesson\n", f"# The lesson\n{text}\n")
    problem = _only(whole)
    assert (problem.path, problem.line) == ("docs/chapter/lesson.md", line)
    assert "the command \\nope is not known" in problem.message


def test_a_claim_over_results_must_hold(whole: Project) -> None:
    """The problem names the claim's line and the run."""
    _edit(whole.page_path("chapter/lesson"), "total == 3", "total == 4")
    problem = _only(whole)
    assert (problem.path, problem.line) == ("docs/chapter/lesson.md", 14)
    assert problem.message == f"the claim 'total == 4' does not hold on {_run_file(whole).name}"


def test_a_claim_must_hold_on_every_fresh_run(whole: Project) -> None:
    """An older run that says otherwise is not outvoted by the current one, until it is retracted."""
    older = store_run(whole, results={"total": 2.0}, environment=_environment("0.1.0"))
    assert older.path.name in _only(whole).message
    text = f'["{older.id}"]\nreason = "wrong sum"\ndate = "2026-01-02"\n'
    (whole.runs / "retracted.toml").write_text(text)
    assert check(whole) == []


def test_a_claim_says_nothing_of_stale_runs(whole: Project) -> None:
    """A run of another program does not refute it."""
    stale = SNIPPET.replace("arange(3.0)", "arange(2.0)")
    store_run(whole, results={"total": 1.0}, source_text=stale, environment=_environment("0.1.0"))
    assert check(whole) == []


def test_a_claim_of_one_version_is_about_that_version(whole: Project) -> None:
    """The option `run` narrows a claim."""
    _edit(whole.page_path("chapter/lesson"), "holds: total == 3", "holds: total == 2\n    run: cpu-0.1.0")
    store_run(whole, results={"total": 2.0}, environment=_environment("0.1.0"))
    assert check(whole) == []


def test_a_claim_that_an_older_run_cannot_decide_is_found(whole: Project) -> None:
    """A result that only some fresh runs hold is no ground for a claim."""
    older = store_run(whole, results={}, environment=_environment("0.1.0"))
    problem = _only(whole)
    assert "cannot be decided: no result or measurement is named 'total'" in problem.message
    assert older.path.name in problem.message


def test_a_typed_number_is_found(whole: Project) -> None:
    """With its line, and both ways to mend it."""
    _edit(whole.page_path("chapter/lesson"), "The total is three.", "It takes 5 ms.")
    problem = _only(whole)
    assert (problem.path, problem.line) == ("docs/chapter/lesson.md", 16)
    assert problem.message == "'5 ms' is typed, and no source is cited"
    assert ":value[...]" in problem.mend


def test_numbers_are_typed_freely_outside_lessons(whole: Project) -> None:
    """README and pages about the site are not lessons."""
    (whole.docs / "how.md").write_text("---\ndescription: How.\n---\nA site takes 3 minutes.\n")
    (whole.root / "README.md").write_text("A site takes 3 minutes.\n")
    assert check(whole) == []


# Shared cells


@pytest.fixture
def shared(tmp_path: Path) -> Project:
    """Two lessons with a harness cell; one copy was changed."""
    copy = SNIPPET.replace("# %% inputs", HARNESS.partition("\n\n")[2] + "\n\n# %% inputs")
    changed = copy.replace("return time.perf_counter()", "x = 1\n    return time.time()")
    project = make_project(tmp_path / "shared", {"chapter/lesson": copy, "chapter/other": changed})
    (project.snippets / "harness.py").write_text(HARNESS)
    return project


def _fixable(project: Project) -> list[Problem]:
    return [problem for problem in check(project) if problem.fixable]


def test_a_copy_that_differs_is_found(shared: Project) -> None:
    """And can be fixed by a machine."""
    assert [(problem.path, problem.line) for problem in _fixable(shared)] == [
        ("snippets/chapter/other.py", 10)
    ]


def test_fix_writes_the_harness_over_the_copy_and_nothing_else(shared: Project) -> None:
    """Afterwards both lessons are the same text, and there is nothing more to fix."""
    before = shared.snippet_path("chapter/lesson").read_bytes()
    assert list(fix(shared)) == ["snippets/chapter/other.py: cell 'harness' written from snippets/harness.py"]
    assert shared.snippet_path("chapter/lesson").read_bytes() == before
    assert shared.snippet_path("chapter/other").read_bytes() == before
    assert _fixable(shared) == []
    assert list(fix(shared)) == []


def test_a_harness_that_is_no_snippet_is_a_problem(shared: Project) -> None:
    """It is named, with its line."""
    (shared.snippets / "harness.py").write_text("import time\n# %% harness\n")
    found = [problem for problem in check(shared) if problem.path == "snippets/harness.py"]
    assert [(problem.line, problem.message) for problem in found] == [(1, "code before the first cell")]


# A built site


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>/// cell | a/b\n///</p>", [(1, "/// cell | a/b"), (2, "///")]),
        ("<p>\ntook :value[a/b x.median] here</p>", [(2, ":value[a/b x.median]")]),
        ("<li>ok</li>\n<li>//// details | x</li>", [(2, "//// details | x")]),
        ("<pre>/// cell\n:value[x]</pre>", []),
        ("<p><code>/// cell</code> and <code>:value[a/b x]</code></p>", []),
        ("<script>/// comment\n</script><style>/// x</style>", []),
        ("<p>file:///tmp and a // b</p>", []),
        ("<a href='///x' title=':value[y]'>link</a>", []),
        (
            "<div class='bb-output'><p>/// x</p><div><br>:value[y]</div>/// z</div><p>/// w</p>",
            [(1, "/// w")],
        ),
        ("<div class='run'><img class='run-x'><p>/// x<p>:value[y]</div>:value[z]", [(1, ":value[z]")]),
        ("<td class='a bb-note b'>/// x</td><td class='running bb'>/// y</td>", [(1, "/// y")]),
        ("<img class='bb-x'><p>/// x</p>", [(1, "/// x")]),
        (
            "<div class='bb-claim'><p>/// x</p><ul class='bb-verdicts'><li>/// y</li></ul></div>",
            [(1, "/// x")],
        ),
        ("<figure class='bb-figure'><figcaption>:value[x]</figcaption></figure>", [(1, ":value[x]")]),
        ("<div class='bb-cited'><p>/// x</p><p class='bb-quiet'>/// y</p></div>", [(1, "/// x")]),
        ("<details class='bb-fold bb-hint'><p>/// x</p></details>", [(1, "/// x")]),
        ("<details class='bb-fold bb-starter'><p>/// x</p></details>", []),
        (
            "<section class='bb-question'><p class='bb-number'>/// y</p>"
            "<details class='bb-option'><p>/// x</p><div class='bb-output'>/// z</div></details></section>",
            [(1, "/// x")],
        ),
    ],
)
def test_leftovers_are_what_a_reader_would_see(html: str, found: list[tuple[int, str]]) -> None:
    """Lines that start with slashes, and values; not in code, scripts, attributes or recorded text."""
    assert leftovers(html) == found


def test_recorded_text_is_no_leftover(whole: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run may say what a leftover looks like, and both its page and the lesson's show it as it is."""
    rows = run_tree()["measurements"]
    rows["eager"] |= {"wait": "as in :value[x/y z]\n///\n/// end", "inputs": ["/// :value[a/b c]"]}
    environment = _environment(metadata.version("jax"))
    dates = {"started": "2027-01-01T00:00:00Z", "ended": "2027-01-01T00:00:01Z"}
    store_run(whole, measurements=rows, environment=environment, **dates)
    lesson = "/// measurements | chapter/lesson\n///\n\n:value[chapter/lesson eager.median]\n"
    whole.page_path("chapter/lesson").write_text(PAGE + "\n" + lesson)
    builder.build(whole)
    monkeypatch.chdir(whole.root)
    for path in (whole.page_path("chapter/lesson"), whole.runs / "chapter/lesson/index.md"):
        text = path.read_text().partition("\n---\n")[2]
        html = markdown.markdown(text, extensions=["attr_list", "md_in_html", "tables", "benchbook.blocks"])
        assert ":value[x/y z]" in unescape(html)
        assert leftovers(html) == []
        assert leftovers(html + "<p>/// end</p>") != []


def test_a_leftover_of_a_built_site_is_found(whole: Project) -> None:
    """In any page below the folder, with its line."""
    site = whole.root / "site"
    (site / "jit").mkdir(parents=True)
    (site / "index.html").write_text("<p>fine</p>")
    found = inventory.gather(whole, built=site)
    assert list(no_leftovers(found)) == []
    (site / "jit" / "index.html").write_text("<h1>Jit</h1>\n<p>/// cell | jit/compile</p>")
    (problem,) = no_leftovers(found)
    assert (problem.path, problem.line) == ("site/jit/index.html", 2)
    assert problem.message == "shows '/// cell | jit/compile' as text"


@pytest.fixture
def built(whole: Project) -> Path:
    """What MkDocs would make of the notebooks of a project in which everything holds, and of their lesson."""
    builder.build(whole)
    site = whole.root / "site"
    shutil.copytree(whole.docs / "notebooks", site / "notebooks")
    shutil.copytree(whole.docs / "figures", site / "figures")
    run_id = _run_file(whole).stem[-12:]
    for name in ("chapter/lesson", "runs/chapter/lesson", "notebooks/chapter/lesson"):
        (site / name).mkdir(parents=True, exist_ok=True)
        (site / name / "index.html").write_text(f'<h2 id="run-{run_id}">A run</h2>')
    return site


def test_whole_notebooks_are_no_problem(whole: Project, built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an address and without, their links lead to files of the site."""
    assert check(whole, built=built) == []
    (whole.root / "mkdocs.yml").write_text(f"site_url: https://example.org/jax\n{NAV}")
    builder.build(whole)
    shutil.copytree(whole.docs / "notebooks", built / "notebooks", dirs_exist_ok=True)
    assert "https://example.org/jax/runs" in (built / "notebooks/chapter/lesson.ipynb").read_text()
    assert check(whole, built=built) == []


@pytest.mark.parametrize("text", [None, "no JSON", "[]", "{}", '{"cells": [], "metadata": {}}'])
def test_a_notebook_that_is_not_the_lessons_is_found(whole: Project, built: Path, text: str | None) -> None:
    """One that is missing, is none, or holds other code than the snippet has now."""
    path = built / "notebooks/chapter/lesson.ipynb"
    path.unlink() if text is None else path.write_text(text)
    problem = check(whole, built=built)[0]
    assert problem.path == "site/notebooks/chapter/lesson.ipynb"
    assert problem.mend == "run benchbook build, then mkdocs build"


@pytest.mark.parametrize(
    ("gone", "link"),
    [
        ("chapter/lesson/index.html", "../../chapter/lesson/"),
        ("runs/chapter/lesson/index.html", "../../runs/chapter/lesson/#run-"),
        ("figures/chapter/lesson", "../../figures/chapter/lesson/cpu-"),
    ],
)
def test_a_dead_link_of_a_notebook_is_found(whole: Project, built: Path, gone: str, link: str) -> None:
    """To a page, a place in it, or a file, from the notebook and from its page."""
    (built / gone).rename(built / "elsewhere")
    problems = check(whole, built=built)
    assert {problem.path for problem in problems} == {
        "site/notebooks/chapter/lesson.ipynb",
        "site/notebooks/chapter/lesson/index.ipynb",
    }
    assert problems[0].message.startswith(f"links to {link}")


def test_a_link_to_a_run_that_its_page_lacks_is_found(whole: Project, built: Path) -> None:
    """The page is there, the place in it is not."""
    (built / "runs/chapter/lesson/index.html").write_text("<h2>No run</h2>")
    assert len(check(whole, built=built)) == 2


def test_a_chapter_has_one_notebook_as_a_page(whole: Project, built: Path) -> None:
    """Neither none nor two."""
    (built / "notebooks/chapter/lesson/index.html").rename(built / "index.html")
    assert _only(whole, built=built).message == "has 0 pages of notebooks and not one"
    for name in ("lesson", "other"):
        (built / "notebooks/chapter" / name).mkdir(exist_ok=True)
        (built / "notebooks/chapter" / name / "index.html").write_text("<p>page</p>")
    assert _only(whole, built=built).message == "has 2 pages of notebooks and not one"


def test_a_problem_is_one_line() -> None:
    """As errors are spelled: place, what, mend."""
    assert str(Problem("a.md", 3, "it is wrong", "mend it")) == "a.md:3: it is wrong (mend it)"
    assert str(Problem("a.md", None, "it is wrong", "mend it")) == "a.md: it is wrong (mend it)"


def test_the_inventory_reads_what_is_there(whole: Project) -> None:
    """Rules see parsed snippets, pages and runs, and no derived page."""
    (whole.runs / "chapter" / "lesson" / "index.md").write_text("# Runs\n")
    found = inventory.gather(whole)
    assert list(found.snippets) == ["chapter/lesson"]
    assert list(found.pages) == ["docs/chapter/index.md", "docs/chapter/lesson.md"]
    assert [stored.path for stored in found.standing("chapter/lesson")] == [_run_file(whole)]
