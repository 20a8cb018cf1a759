"""The command line: words, exit statuses, and lines that are plain where there is no terminal."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchbook import __version__, archive, cli
from benchbook.project import Project
from benchbook.reading import counted
from tests.factory import make_project, store_run
from tests.lessons import COMPILED, MEASURES
from tests.processes import appearing, descendants, heeding, holding, left_alive
from tests.recording import snippet_text

ROOT = Path(__file__).parents[1]
COMMANDS = ("record", "build", "check", "cite", "new", "serve")
BENCHBOOK = [sys.executable, "-m", "benchbook"]
FINE = snippet_text("# %% one\nprint('fine')\nresults = {'one': 1}\n")
RAISES = snippet_text("# %% one\nprint('before')\nraise ValueError('[red]no[/red]')\n")

Said = tuple[int, str, str]


@pytest.fixture
def say(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Runs ``benchbook`` with these words, in the project or another folder: status, stdout and stderr."""

    def run(*words: str, folder: Path | None = None) -> Said:
        monkeypatch.chdir(folder or project.root)
        monkeypatch.setattr(sys, "argv", ["benchbook", *words])
        status = 0
        try:
            cli.main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.mark.parametrize("command", [BENCHBOOK, [str(Path(sys.executable).parent / "benchbook")]])
def test_the_version_is_one_line(command: list[str], tmp_path: Path):
    """Outside every project, by both ways to start it."""
    done = subprocess.run([*command, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"benchbook {__version__}\n"


def test_the_help_names_every_command(say: Callable[..., Said]):
    """Without a word there is the help, and each command has its own."""
    for words in (["--help"], []):
        _, out, err = say(*words)
        assert all(command in out + err for command in COMMANDS)
    for command in COMMANDS:
        status, out, _ = say(command, "--help")
        assert (status, f"benchbook {command}" in out) == (0, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play"], "No such command"),
        (["--fast"], "No such option"),
        (["record", "--fast"], "No such option"),
        (["record", "lesson"], "'lesson' is no slug (write chapter/lesson, as in jit/compile)"),
        (["record", "--backend", "gpu"], "no backend is named 'gpu' (choose from cpu, cuda)"),
        (["record", "--processes", "0"], "'--processes'"),
        (["record", "--processes", "many"], "'--processes'"),
        (["record", "--jobs", "0"], "'--jobs'"),
        (["record", "--jax", "newest"], "--jax 'newest' is no version (write one like 0.9.2)"),
        (["record", "--jax", "0.9.2", "--backend", "cuda"], "for CPU only, not for cuda (give that backend"),
        (["record", "--pack", "a.py", "--ingest", "b"], "--pack and --ingest exclude each other (pack first"),
        (["record", "a/b", "--ingest", "b"], "--ingest takes all that the file holds: no lesson, --backend"),
        (["record", "--pack", "a.py", "--backend", "cpu", "--backend", "cuda"], "--pack takes one backend"),
        (["record", "--pack", "a.py", "--jax", "0.9.1", "--jax", "0.9.2"], "--pack takes one backend"),
        (["record", "--pack", "docs"], "docs: cannot be written: Is a directory (a folder lies where"),
        (["record", "--pack", "pyproject.toml/a.py"], "cannot be written: "),
        (["build", "everything"], "unexpected extra argument"),
        (["check", "everything"], "unexpected extra argument"),
        (["cite"], "Missing argument"),
        (["cite", "0123456789ab"], "no run is '0123456789ab' (give six or more digits of its id"),
        (["new"], "Missing argument"),
        (["new", "lesson"], "'lesson' is no slug (write chapter/lesson"),
        (["new", "nowhere/lesson"], "there is no chapter 'nowhere'"),
        (["serve", "everything"], "unexpected extra argument"),
    ],
    ids=" ".join,
)
def test_wrong_use_ends_with_status_2(
    say: Callable[..., Said], project: Project, words: list[str], said: str
):
    """What is wrong is said on stderr, nothing is printed as a result, and nothing is written."""
    before = sorted(project.root.rglob("*"))
    status, out, err = say(*words)
    assert status == 2
    assert said in " ".join(err.split())
    assert (out, sorted(project.root.rglob("*"))) == ("", before)


@pytest.mark.parametrize(
    "words", [["record"], ["build"], ["check"], ["cite", "0123456789ab"], ["new", "a/b"]]
)
def test_outside_a_project_every_command_says_where_to_go(
    say: Callable[..., Said], tmp_path: Path, words: list[str]
):
    """One line, and status 2."""
    mend = "go to a folder below a pyproject.toml that has [tool.benchbook]"
    expected = f"benchbook: no benchbook project here ({mend})\n"
    assert say(*words, folder=tmp_path) == (2, "", expected)


def test_recording_without_a_terminal_prints_plain_lines(tmp_path: Path):
    """A line a session, a line an outcome, a summary; what failed shows its output, and markup is text."""
    project = make_project(tmp_path / "p", {"a/fine": FINE, "a/raises": RAISES})
    done = subprocess.run(
        [*BENCHBOOK, "record"], cwd=project.root, capture_output=True, text=True, check=False
    )
    (stored,) = archive.load_all(project, project.local_runs, "a/fine")
    jax = stored.run.environment.jax
    noted = "backend cpu: "  # by the worker, where another recorder measures at this moment
    first, *rows, last = (line for line in done.stdout.splitlines() if not line.startswith(noted))
    assert first == f"cpu, JAX {jax}: 2 processes"
    why = "snippets/a/raises.py:8: cell one: raised: ValueError: [red]no[/red]"
    assert sorted(rows) == [f"a/fine  cpu  {jax}  new", f"a/raises  cpu  {jax}  failed  {why}"]
    assert last == "1 new, 1 failed; 1 run written to .benchbook/runs"
    assert "a/raises, last lines of the cell that failed:\n  before\n" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("after", ["| head -1", "| true", "> /dev/full"])
def test_an_output_that_takes_no_more_costs_no_run(tmp_path: Path, after: str):
    """A reader who has seen enough is no mistake, a full disk below standard output is one line."""
    if "full" in after and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    project = make_project(tmp_path / "p", {"a/fine": FINE, "a/other": FINE})
    table = "[tool.benchbook.backends.far]\nplatform = 'cpu'\ncommand = ['env', "
    settings = project.root / "pyproject.toml"
    settings.write_text(f"{settings.read_text()}{table}{sys.executable!r}]\n")
    words = f'set -o pipefail; "$0" -m benchbook record --backend cpu --backend far {after}'
    command = ["bash", "-c", words, sys.executable]
    done = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)
    full = "benchbook: standard output: No space left on device (make room there, and do it again)\n"
    assert done.stderr == (full if "full" in after else "")
    assert done.returncode == 1
    for slug in ("a/fine", "a/other"):
        runs = archive.load_all(project, project.local_runs, slug)
        assert sorted(stored.run.backend for stored in runs) == ["cpu", "far"]


@pytest.mark.skipif(sys.platform != "linux", reason="how the end of a terminal is told differs")
def test_recording_on_a_terminal_draws_a_bar_and_a_table(tmp_path: Path):
    """Progress is drawn, and goes away for the table."""
    project = make_project(tmp_path / "p", {"a/fine": FINE})
    ours, theirs = pty.openpty()
    env = os.environ | {"TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(
        [*BENCHBOOK, "record"], cwd=project.root, stdout=theirs, stderr=theirs, env=env
    ) as process:
        os.close(theirs)
        printed = b""
        with contextlib.suppress(OSError):  # Linux tells the end of a terminal so
            while data := os.read(ours, 4096):
                printed += data
    os.close(ours)
    assert process.returncode == 0
    text = printed.decode()
    assert "1/1" in text
    assert text.index("1/1") < text.index("outcome") < text.index("1 new; 1 run written")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_an_interrupted_recording_ends_with_one_line(tmp_path: Path):
    """Control-C is no traceback, and nothing half is left."""
    cells = f"# %% one\nimport os, time\nos.system('sleep 600 # {tmp_path}')\n"
    project = make_project(tmp_path / "p", {"a/slow": snippet_text(cells)})
    with subprocess.Popen(
        heeding([*BENCHBOOK, "record"]),
        cwd=project.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        appearing(f"sleep 600 # {tmp_path}")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert err == "benchbook: interrupted; what was written is whole\n"
    assert process.returncode == 130
    assert not project.local_runs.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_control_c_ends_the_sessions_of_all_hosts(tmp_path: Path):
    """One line, no process, no temporary file, and no half of a run."""
    cells = f"# %% one\nimport os, time\nos.system('sleep 600 # {tmp_path}/' + os.environ['HERE'])\n"
    project = make_project(tmp_path / "p", {"a/fine": FINE, "b/slow": snippet_text(cells)})
    settings = project.root / "pyproject.toml"
    for name, words in (("near", [sys.executable]), ("far", ["env", sys.executable])):
        table = f"[tool.benchbook.backends.{name}]\nplatform = 'cpu'\nenv = {{ HERE = '{name}' }}\n"
        settings.write_text(f"{settings.read_text()}{table}command = {words!r}\n")
    (tmp_path / "temporary").mkdir()
    with subprocess.Popen(
        heeding([*BENCHBOOK, "record", "--jobs", "2", "--backend", "near", "--backend", "far"]),
        cwd=project.root,
        env=os.environ | {"TMPDIR": str(tmp_path / "temporary")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            for name in ("near", "far"):
                appearing(f"sleep 600 # {tmp_path}/{name}")
            below = descendants(process.pid)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate()
        finally:
            process.kill()
    assert err == "benchbook: interrupted; what was written is whole\n"
    assert process.returncode == 130
    assert left_alive(below) == []
    assert list((tmp_path / "temporary").iterdir()) == []
    assert len(archive.load_all(project, project.local_runs, "a/fine")) <= 2


def test_two_recorders_at_once_write_whole_runs(tmp_path: Path):
    """In one project, of the same snippets: each has all its runs, and no file is half or of both."""
    project = make_project(tmp_path / "p", {f"a/{name}": FINE for name in ("one", "two", "three")})
    processes = [
        subprocess.Popen(
            [*BENCHBOOK, "record", "--accept"],
            cwd=project.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(2)
    ]
    said = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    assert all(text.endswith("3 runs written to docs/runs\n") for text in said)
    for slug in project.slugs():
        assert len(archive.load_all(project, project.runs, slug)) == 2
    assert [path for path in project.runs.rglob("*") if path.is_file() and path.suffix != ".json"] == []


def made_environments() -> dict[str, Path]:
    """Environments of two other versions of JAX that this checkout has, by version."""
    python = f"python-{sys.version_info[0]}.{sys.version_info[1]}"
    made = {
        folder.name.split("-")[1]: folder
        for folder in sorted((ROOT / ".benchbook/environments").glob(f"jax-*-{python}"))
        if (folder / ".benchbook-made").exists()
    }
    if len(made) < 2:
        pytest.skip(
            "no environments of two other versions of JAX are here: benchbook record --jax makes them"
        )
    return dict(list(made.items())[-2:])


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_two_versions_of_jax_leave_nothing_but_their_runs(tmp_path: Path):
    """Every kind of snippet on both, in one command: no process and no temporary file is left."""
    measured, raises = snippet_text(MEASURES), snippet_text("# %% one\nraise ValueError('no')\n")
    texts = {"a/fine": FINE, "a/cold": snippet_text(COMPILED, more="cold = true"), "a/measured": measured}
    project = make_project(tmp_path / "p", texts | {"a/raises": raises})
    (project.state / "environments").mkdir(parents=True)
    versions = made_environments()
    for folder in versions.values():
        (project.state / "environments" / folder.name).symlink_to(folder)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    words = [word for version in versions for word in ("--jax", version)]
    done = subprocess.run(
        [*BENCHBOOK, "record", "--accept", "--processes", "2", *words],
        cwd=project.root,
        env=os.environ | {"TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith(", 2 failed; 6 runs written to docs/runs\n"), done.stdout + done.stderr
    for slug in texts:
        found = [stored.run.environment.jax for stored in archive.load_all(project, project.runs, slug)]
        assert sorted(found) == sorted(versions)
    assert list(temporary.iterdir()) == []
    assert left_alive(holding(str(temporary))) == []


def test_pack_says_what_to_do_next(say: Callable[..., Said], project: Project):
    """The file is a program, and the lines tell how to run it and bring its results back."""
    status, out, _ = say("record", "--pack", "carry.py")
    assert status == 0
    compile((project.root / "carry.py").read_text(), "carry.py", "exec")
    lines = out.splitlines()
    assert lines[0] == "carry.py: 1 snippet for cpu. Where Python 3.11+ has JAX, run"
    assert lines[1:] == [
        "  python3 carry.py > results.jsonl",
        "then here: benchbook record --ingest results.jsonl [--accept]",
    ]


@pytest.mark.parametrize("name", ["snippets/chapter/lesson.py", "docs/new.py", "linked", "pipe", "folder"])
def test_pack_takes_nobodys_place(say: Callable[..., Said], project: Project, name: str):
    """A lesson, a device or a link is not replaced by a program, and is as it was."""
    lesson = project.snippet_path("chapter/lesson")
    (project.root / "linked").symlink_to(lesson)
    os.mkfifo(project.root / "pipe")
    (project.root / "folder").mkdir()
    before = lesson.read_bytes()
    status, _, err = say("record", "--pack", name)
    assert status == 2
    assert f"{name}: " in err
    assert lesson.read_bytes() == before
    assert not (project.root / name).is_file() or (project.root / name).read_bytes() == before


def test_ingest_of_a_file_that_is_none_is_one_line(say: Callable[..., Said], project: Project):
    """The file is named, and the status is 1: the use was right, the file is not."""
    (project.root / "results.jsonl").write_text("nothing\n")
    for name, said in (("results.jsonl", "holds no results"), ("none.jsonl", "cannot be read")):
        status, _, err = say("record", "--ingest", name)
        assert status == 1
        assert err.startswith(f"benchbook: {name}: {said}")
        assert len(err.splitlines()) == 1


def test_cite_prints_text_bibtex_permalink_and_digest(say: Callable[..., Said], project: Project):
    """Its last line is what `sha256sum --check` reads."""
    stored = store_run(project)
    status, out, _ = say("cite", stored.id)
    assert status == 0
    text, _, rest = out.partition("\n\n")
    assert stored.digest in text
    assert rest.startswith("@misc{")
    assert f"#run-{stored.id}" in out
    line = out.splitlines()[-1] + "\n"
    subprocess.run(
        ["sha256sum", "--check"], input=line, cwd=project.root, text=True, check=True, capture_output=True
    )


def test_new_names_what_it_wrote(say: Callable[..., Said], project: Project):
    """Snippet, page and nav, each on its line; a second time it is there already."""
    (project.docs / "chapter").mkdir()
    (project.docs / "chapter/index.md").write_text("---\ntitle: Chapter\n---\n\n# Chapter\n")
    (project.root / "mkdocs.yml").write_text(
        "site_name: x\nnav:\n  - Home: index.md\n  - Chapter:\n      - chapter/index.md\n"
    )
    status, out, _ = say("new", "chapter/next")
    assert status == 0
    assert out.splitlines() == ["snippets/chapter/next.py", "docs/chapter/next.md", "mkdocs.yml"]
    assert "chapter/next.md" in (project.root / "mkdocs.yml").read_text()
    status, _, err = say("new", "chapter/next")
    assert (status, "is there already" in err) == (2, True)


def test_build_counts_what_it_did(say: Callable[..., Said], project: Project):
    """A second build finds everything unchanged."""
    store_run(project)
    assert say("build")[1].startswith("build: ")
    status, out, _ = say("build")
    assert (status, out.startswith("build: 0 written, ")) == (0, True)


def test_check_says_how_many_problems_there_are(say: Callable[..., Said], project: Project):
    """Each has its line with file and mend; problems end with status 1."""
    stored = store_run(project)
    stored.path.write_bytes(b"")
    status, out, err = say("check")
    lines = out.splitlines()
    assert status == 1
    assert any(line.startswith(f"docs/runs/chapter/lesson/{stored.path.name}: ") for line in lines)
    assert all(line.endswith(")") for line in lines[:-1])
    gating = [line for line in lines[:-1] if not line.startswith("note: ")]
    problems, notes = counted(len(gating), "problem"), counted(len(lines) - 1 - len(gating), "note")
    assert lines[-1] == f"check: {problems}, {notes}"
    assert err == ""


def test_an_idle_build_imports_nothing_heavy(project: Project):
    """With nothing changed it costs little more than the version: neither pydantic nor what draws."""
    store_run(project)
    program = (
        "import sys; from benchbook.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'pydantic', 'numpy', 'matplotlib', 'jax'} & set(sys.modules)), file=sys.stderr)"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", program, "build"],
            cwd=project.root,
            capture_output=True,
            text=True,
            check=True,
        ).stderr
        for _ in range(2)
    ]
    assert "pydantic" in said[0]
    assert said[1] == "[]\n"
