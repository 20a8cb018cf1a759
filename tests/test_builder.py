"""Building: what is derived, when it is derived again, and what it never does."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchbook import archive
from benchbook.building import builder, manifest
from benchbook.building.site import BuildError
from benchbook.errors import BenchbookError
from benchbook.project import Project, is_derived
from tests.factory import SNIPPET, make_project, make_run, run_tree, store_run

PAGE = """\
---
title: T
---
# Page

/// output | chapter/lesson
///

/// figure | chapter/lesson total
    alt: Two bars of 3.
Both sums are equal.
///

The sum is :value[chapter/lesson total].
"""
FRAGMENT = ".benchbook/fragments/chapter/lesson.json"
RUN_PAGE = "docs/runs/chapter/lesson/index.md"
SCHEMA = "docs/schema/run-1.json"
WHOLE = {
    "docs/bench.csv",
    "docs/bench.md",
    "docs/llms.txt",
    "docs/robots.txt",
    SCHEMA,
}  # of the site, whatever it holds
BUILD = (
    "import sys; from benchbook import project; from benchbook.building import builder; "
    "made = builder.build(project.find()); "
)
HEAVY = ("pydantic", "numpy", "scipy", "matplotlib", "pygments", "yaml", "packaging", "markdown", "jax")


@pytest.fixture
def site(project: Project) -> Project:
    """A project with a page and two runs."""
    (project.docs / "chapter").mkdir()
    project.page_path("chapter/lesson").write_text(PAGE)
    store_run(project)
    store_run(project, started="2026-02-02T00:00:00Z")
    return project


def derived(project: Project) -> dict[str, bytes]:
    """Every derived file by name."""
    files = [path for path in project.root.rglob("*") if path.is_file()]
    return {name: p.read_bytes() for p in files if is_derived(name := project.relative(p))}


def age(project: Project) -> None:
    """Sets every file's time back, as if it had been written long ago."""
    for number, path in enumerate(sorted(project.root.rglob("*"))):
        os.utime(path, ns=(10**18 + number, 10**18 + number))


def python(project: Project, program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in a fresh interpreter, in the project."""
    paths = os.pathsep.join((str(project.root / "stubs"), str(Path(__file__).parents[1])))
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=project.root,
        env=os.environ | {"PYTHONPATH": paths} | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_everything_a_page_needs_is_derived(site):
    """Fragment, figures for both schemes, run page and what the whole site shares are written, and listed."""
    report = builder.build(site)
    ids = sorted(path.name[-17:-5] for path in (site.runs / "chapter/lesson").glob("*.json"))
    stems = [f"docs/figures/chapter/lesson/cpu-{run_id}-total" for run_id in ids]
    figures = [f"{stem}.{scheme}.svg" for stem in stems for scheme in ("dark", "light")]
    assert {*figures, *WHOLE, FRAGMENT, RUN_PAGE} <= set(report.written)
    assert sorted(derived(site)) == report.written
    assert report.unchanged == report.removed == []


def test_nothing_changed_means_nothing_written(site):
    """A second build touches no file."""
    first = builder.build(site)
    before = {path: path.stat().st_mtime_ns for path in site.docs.rglob("*")}
    second = builder.build(site)
    assert (second.written, second.unchanged, second.removed) == ([], first.written, [])
    assert {path: path.stat().st_mtime_ns for path in site.docs.rglob("*")} == before


def test_deleting_all_derived_files_gives_them_back_byte_for_byte(site):
    """What is derived depends on sources alone, not on the process, the clock or earlier builds."""
    builder.build(site)
    expected = derived(site)
    for name in expected:
        (site.root / name).unlink()
    manifest.path(site).unlink()
    done = python(site, BUILD, PYTHONHASHSEED="7", TZ="Asia/Tokyo")
    assert done.returncode == 0, done.stderr
    assert derived(site) == expected


@pytest.mark.parametrize("name", ["docs/figures/", "docs/schema/", "docs/runs/", ".benchbook/fragments/"])
def test_a_missing_or_edited_output_is_derived_again(site, name):
    """A derived file that is gone or was edited comes back as it was, and alone is written."""
    builder.build(site)
    expected = derived(site)
    chosen = next(file for file in sorted(expected) if file.startswith(name))
    (site.root / chosen).write_bytes(b"edited")
    assert builder.build(site).written == [chosen]
    (site.root / chosen).unlink()
    assert builder.build(site).written == [chosen]
    assert derived(site) == expected


def test_a_file_that_was_only_touched_is_no_change(site, monkeypatch):
    """What has another time and the same content is read once, and rebuilds nothing."""
    builder.build(site)
    age(site)
    monkeypatch.setattr("benchbook.building.derived.derive", lambda *_, **__: pytest.fail("derived again"))
    assert builder.build(site).written == []
    read = []
    original = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read.append(path) or original(path))
    assert builder.build(site).written == []
    assert [path for path in read if site.root in path.parents] == [manifest.path(site)]


def test_an_edit_right_after_the_scan_is_seen(site):
    """A file that changed within one step of the clock, size and all, is not taken for the old one."""
    page = site.page_path("chapter/lesson")
    builder.build(site)
    state = page.stat()
    page.write_text(PAGE.replace("chapter/lesson total].", "chapter/lesson totul]."))
    os.utime(page, ns=(state.st_atime_ns, manifest.load(site).scanned_ns))
    tree = json.loads(manifest.path(site).read_text())
    tree["inputs"]["docs/chapter/lesson.md"][1] = tree["scanned_ns"]
    manifest.path(site).write_text(json.dumps(tree))
    with pytest.raises(BuildError, match="totul"):
        builder.build(site)


def test_each_kind_of_input_counts(site, monkeypatch):
    """A new run, a retraction, a changed snippet, page, address or option brings files up to date."""
    (site.root / "mkdocs.yml").write_text('site_url: !ENV [SITE_URL, ""]\n')
    builder.build(site)
    stored = store_run(site, started="2026-03-03T00:00:00Z")
    shown = {RUN_PAGE, FRAGMENT, "docs/bench.csv", "docs/bench.md"}
    assert shown < set(builder.build(site).written)
    (site.runs / "retracted.toml").write_text(f'[{stored.id}]\nreason = "wrong"\ndate = 2026-03-04\n')
    assert shown <= set(builder.build(site).written)
    site.snippet_path("chapter/lesson").write_text(SNIPPET.replace("jnp.sum(x)", "jnp.sum(1 * x)"))
    assert shown <= set(builder.build(site).written)
    monkeypatch.setenv("SITE_URL", "https://example.org/")
    assert {RUN_PAGE, "docs/bench.csv", "docs/llms.txt"} <= set(builder.build(site).written)


def test_a_retracted_run_never_stops_a_build(site):
    """A figure that cannot be drawn is told with file and cell, until its run is retracted."""
    panel = run_tree()["figures"]["total"][0]
    stored = store_run(site, figures={"total": [panel | {"kind": "pie"}]})
    with pytest.raises(BuildError, match=f"{stored.id}.json: the figure of cell 'total': .*'pie'"):
        builder.build(site)
    (site.runs / "retracted.toml").write_text(f'[{stored.id}]\nreason = "wrong"\ndate = 2026-03-04\n')
    builder.build(site)
    assert "this engine cannot draw it" in (site.root / RUN_PAGE).read_text()
    assert [*site.docs.glob(f"figures/**/*{stored.id}*")] == []


def test_figures_of_a_run_are_drawn_once(site, monkeypatch):
    """A run never changes, so its figures are kept when something else does."""
    builder.build(site)
    monkeypatch.setattr("benchbook.drawing.figure.draw", lambda *_, **__: pytest.fail("drawn again"))
    site.snippet_path("chapter/lesson").write_text(SNIPPET.replace("jnp.sum(x)", "jnp.sum(1 * x)"))
    assert builder.build(site).written


def test_force_derives_everything(site, monkeypatch):
    """With force, figures are drawn again even where nothing changed, and equal files are not written."""
    builder.build(site)
    drawn = []
    monkeypatch.setattr(
        "benchbook.drawing.figure.draw", lambda *_, dark, **__: drawn.append(dark) or b"drawn"
    )
    written = builder.build(site, force=True).written
    assert len([name for name in written if name.endswith(".svg")]) == 2 * len(drawn) == 4
    assert {name for name in written if not name.endswith(".svg")} == {  # they hold a drawing
        "docs/notebooks/chapter/lesson.ipynb",
        "docs/notebooks/chapter/lesson/index.ipynb",
    }


def test_many_figures_are_drawn_by_several_processes_alike(site, monkeypatch):
    """The drawings are the same bytes, and what cannot be drawn there is told as it is here."""
    builder.build(site)
    alone = derived(site)
    monkeypatch.setattr("benchbook.building.drawings.MANY", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert builder.build(site, force=True).written == []
    assert derived(site) == alone
    tree = run_tree()
    tree["figures"]["total"][0]["title"] = "\u2603" * 400  # too long a word
    store_run(site, figures=tree["figures"])
    with pytest.raises(BuildError, match="the figure of cell 'total': the text"):
        builder.build(site)


def test_orphans_go_and_nothing_else_does(site):
    """What no source derives any more is removed with its empty folders; other files stay."""
    builder.build(site)
    kept = site.docs / "chapter" / "by-hand.svg"
    kept.write_text("mine")
    for path in (site.runs / "chapter/lesson").glob("*.json"):
        path.unlink()
    site.page_path("chapter/lesson").unlink()
    site.snippet_path("chapter/lesson").unlink()
    report = builder.build(site)
    assert {FRAGMENT, RUN_PAGE} < set(report.removed)
    assert set(derived(site)) == WHOLE
    assert kept.read_text() == "mine"
    assert not (site.runs / "chapter").exists()
    assert site.docs.exists()
    assert site.runs.exists()


def test_orphans_go_although_the_manifest_was_lost(site):
    """A lesson that got another name leaves nothing behind, nor does what lies there for no reason."""
    builder.build(site)
    old = {name for name in derived(site) if "chapter/lesson" in name and not name.startswith("docs/runs/")}
    manifest.path(site).unlink()
    stray = site.docs / "notebooks/no/such/index.ipynb"
    stray.parent.mkdir(parents=True)
    stray.write_text("{}")
    half = site.docs / "schema/.writing-abc"  # of another build, now
    half.write_text("{")
    for path in (site.runs / "chapter/lesson").glob("*.json"):
        path.unlink()
    site.page_path("chapter/lesson").unlink()
    site.snippet_path("chapter/lesson").rename(site.snippet_path("chapter/other"))
    report = builder.build(site)
    assert set(report.removed) == {*old, RUN_PAGE, "docs/notebooks/no/such/index.ipynb"}
    assert not any("chapter/lesson" in name for name in derived(site))
    assert not (site.docs / "notebooks/no").exists()
    assert half.exists()


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "docs/chapter/lesson.md", "docs/figures/../chapter/lesson.md"]
)
def test_a_manifest_edited_by_hand_removes_no_source(site, name):
    """Only places that build alone writes to are ever cleaned."""
    (site.docs / "figures").mkdir()
    (site.docs / "index.md").write_text("# Home\n")
    builder.build(site)
    tree = json.loads(manifest.path(site).read_text())
    tree["outputs"][name] = [1, 1, "0" * 64]
    manifest.path(site).write_text(json.dumps(tree))
    assert builder.build(site).removed == []
    assert (site.root / name).exists()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", '{"inputs": 3}', '{"inputs": {"a": [1]}}', "\xff", "[" * 100_000),
        *('{"settings": [],', '{"settings": 5,', '{"settings": {"python": 5},'),
        *('{"scanned_ns": 1e400,', '{"scanned_ns": null,', '{"scanned_ns": "1",'),
        *('{"outputs": {"a": [1e400, 1, ""]},', '{"outputs": {"a": [1, "", ""]},'),
        *('{"outputs": {"a": [1, 1, []]},', '{"outputs": {"a": "abc"},', '{"outputs": [],'),
        '{"outputs": {"docs/figures/\\u0000": [1, 1, ""]},',
    ],
    ids=lambda text: text[:40].encode("unicode_escape").decode(),
)
def test_a_broken_manifest_is_as_good_as_none(site, text):
    """The manifest is a cache: without a right one, everything is derived and compared."""
    first = builder.build(site)
    if text.endswith(","):  # one member of a right one is of a wrong type
        tree = json.loads(manifest.path(site).read_text()) | json.loads(f"{text[:-1]}}}")
        text = json.dumps(tree)
    manifest.path(site).write_text(text, encoding="latin-1")
    report = builder.build(site)
    assert (report.written, report.unchanged) == ([], first.written)
    assert manifest.load(site).outputs


def test_local_runs_are_shown_only_when_asked(site):
    """A run that was not accepted appears with `local`, and goes again without it."""
    stored = archive.save(make_run(started="2026-05-05T00:00:00Z"), site.local_runs)
    builder.build(site)
    assert stored.id not in b"".join(derived(site).values()).decode()
    report = builder.build(site, local=True)
    figures = {name for name in report.written if stored.id in name}
    assert len(figures) >= 2
    assert "Not accepted" in (site.docs / "runs/chapter/lesson/index.md").read_text()
    assert set(builder.build(site).removed) == figures


def test_a_lesson_without_runs_has_no_run_page(project):
    """Nothing recorded means no page, and still a fragment."""
    builder.build(project)
    assert {FRAGMENT, *WHOLE} <= set(derived(project))
    assert RUN_PAGE not in derived(project)


def test_runs_outlive_their_snippet(site):
    """A lesson that is gone keeps the page of its runs."""
    site.snippet_path("chapter/lesson").unlink()
    site.page_path("chapter/lesson").unlink()
    builder.build(site)
    assert "no longer there" in (site.docs / "runs/chapter/lesson/index.md").read_text().replace("&#39;", "'")


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_written(site):
    """Broken runs, pages, snippets and figures are listed together, each with its file; no file changes."""
    builder.build(site)
    before = derived(site)
    for slug in ("chapter/second", "chapter/third"):
        site.snippet_path(slug).write_text(SNIPPET)
    site.snippet_path("chapter/third").write_text("x = (")
    broken = store_run(site, slug="chapter/second").path
    broken.write_bytes(broken.read_bytes()[:-2])
    figures = {"total": [run_tree()["figures"]["total"][0] | {"kind": "pie"}]}
    pie = store_run(site, figures=figures).path
    (site.docs / "bad.md").write_text("\n/// output | chapter/lesson nothing\n///\n\n/// nonsense | x\n")
    (site.docs / "worse.md").write_text("# T\n\n:value[chapter/lesson missing]\n:value[chapter/none x]\n")
    with pytest.raises(BuildError) as caught:
        builder.build(site)
    told = [(problem.path, problem.line) for problem in caught.value.problems]
    assert told == sorted(told, key=lambda place: (place[0], place[1] or 0))
    assert [path for path, _ in told] == [
        "docs/bad.md",
        site.relative(pie),
        site.relative(broken),
        "docs/worse.md",
        "docs/worse.md",
        "snippets/chapter/third.py",
    ]
    assert str(caught.value).count("\n") == len(told) - 1
    assert caught.value.exit_status == 1
    assert derived(site) == before


def test_building_never_imports_jax(site):
    """With a JAX that cannot be imported, the site builds."""
    stubs = site.root / "stubs"
    for name in ("jax", "jaxlib"):
        (stubs / name).mkdir(parents=True)
        (stubs / name / "__init__.py").write_text("raise SystemExit('jax was imported')\n")
    done = python(site, f"{BUILD} print(len(made.written))")
    assert (done.stdout, done.returncode) == (f"{len(derived(site))}\n", 0), done.stderr
    assert python(site, "import jax").returncode == 1


def test_building_never_executes_a_snippet(site):
    """A snippet that would leave a file leaves none."""
    trace = site.root / "trace"
    effect = f"import pathlib\n\npathlib.Path({str(trace)!r}).touch()\n"
    text = SNIPPET.replace("import jax.numpy as jnp\n", f"import jax.numpy as jnp\n{effect}")
    site.snippet_path("chapter/lesson").write_text(text)
    builder.build(site)
    assert not trace.exists()
    exec(compile(effect, "effect", "exec"))  # noqa: S102 - shows that executing it would have been seen
    assert trace.exists()


def test_nothing_changed_imports_nothing_heavy(site):
    """The fast path needs the standard library only."""
    builder.build(site)
    age(site)
    builder.build(site)
    program = f"{BUILD} print(len(made.unchanged), sorted(set(sys.modules) & set({HEAVY!r})))"
    done = python(site, program)
    assert done.stdout == f"{len(derived(site))} []\n", done.stderr


def test_a_build_cut_short_is_made_good(site, monkeypatch):
    """A crash between two files loses nothing: the next build writes what is missing."""
    expected = make_project(site.root.parent / "other")
    (expected.docs / "chapter").mkdir()
    expected.page_path("chapter/lesson").write_text(PAGE)
    store_run(expected)
    store_run(expected, started="2026-02-02T00:00:00Z")
    builder.build(expected)
    whole, left = archive.write_whole, 3

    def crash(path: Path, data: bytes) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        whole(path, data)

    monkeypatch.setattr(archive, "write_whole", crash)
    with pytest.raises(BenchbookError, match=r"^docs/.*: cannot be written: No space .* \(make room"):
        builder.build(site)
    assert len(derived(site)) == 3
    assert not manifest.path(site).exists()
    monkeypatch.undo()
    builder.build(site)
    assert derived(site) == derived(expected)


def test_a_run_that_cannot_be_read_is_an_error_of_the_build(site):
    """A folder with a run's name is named, and no traceback."""
    (site.runs / "chapter/lesson/cpu-jax-0.1.0-000000000000.json").mkdir()
    with pytest.raises(BuildError, match=r"000000000000\.json: cannot be read: Is a directory"):
        builder.build(site)


@pytest.mark.parametrize("name", [".benchbook", "docs/schema"])
def test_a_folder_that_cannot_be_written_is_named(site, name):
    """Where the system refuses, one line says which file and what to do; real refusals, of any user."""
    (site.root / name).write_text("a file where a folder must be")
    with pytest.raises(
        BenchbookError,
        match=rf"^{name}/.*: cannot be written: .*\(a file, or a link that leads nowhere, lies",
    ):
        builder.build(site)


def test_a_page_that_asks_for_a_lesson_without_a_snippet_is_told(site):
    """Runs alone show nothing on a lesson's page: each use is an error, as it is for MkDocs."""
    site.snippet_path("chapter/lesson").unlink()
    with pytest.raises(BuildError) as caught:
        builder.build(site)
    assert {problem.path for problem in caught.value.problems} == {"docs/chapter/lesson.md"}
    assert "there is no such snippet" in str(caught.value)
