"""The project: found from any folder, with backends that are what they say."""

from pathlib import Path

import pytest

from benchbook.errors import UsageError
from benchbook.project import Backend, Project, find
from tests.factory import make_project


def settings(root: Path, text: str) -> Path:
    """A folder whose pyproject.toml is this text."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "pyproject.toml").write_text(text)
    return root


def test_a_project_is_found_from_any_folder_below_it(project: Project, monkeypatch: pytest.MonkeyPatch):
    """The working directory may be the root or anything in it."""
    folder = project.snippets / "chapter"
    assert find(folder) == find(project.root) == project
    monkeypatch.chdir(folder)
    assert find() == project


def test_a_pyproject_of_another_tool_is_passed_over(project: Project):
    """A nested package does not hide the project around it."""
    inner = settings(project.root / "packages/inner", '[project]\nname = "inner"\n')
    assert find(inner) == project


def test_no_project_is_one_line_with_a_mend(tmp_path: Path):
    """A command outside every project says where to go."""
    with pytest.raises(UsageError, match=r"no benchbook project here \(go to a folder below"):
        find(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.benchbook", "not valid TOML"),
        ("[tool.benchbook.backends.cpu]\ncount = 1\n", "[tool.benchbook.backends.cpu]: no platform"),
        ('[tool.benchbook.backends.cpu]\nplatform = "cpu"\nkind = "x"\n', "backends.cpu]: kind"),
        ('[tool.benchbook.backends.CPU]\nplatform = "cpu"\n', "[tool.benchbook.backends.CPU] is not a name"),
        (
            '[tool.benchbook.backends.far]\nplatform = "cpu"\ncommand = "ssh far python3"\n',
            "command must be a list of words",
        ),
        (
            '[tool.benchbook.backends.far]\nplatform = "cpu"\ncommand = []\n',
            "command must be a list of words",
        ),
        ('[tool.benchbook]\nshown = ["tpu"]\n', "'shown' names the backend 'tpu'"),
        ('[tool.benchbook]\nshown = "cpu"\n', "'shown' must be a list of names"),
        ("[tool]\nbenchbook = 1\n", "[tool.benchbook]"),
        ("[tool.benchbook]\nbackends = 1\n", "[tool.benchbook.backends]"),
        ("[tool.benchbook.backends]\ncpu = 1\n", "[tool.benchbook.backends.cpu]"),
        ("[tool.benchbook.backends.cpu]\nplatform = 1\n", "[tool.benchbook.backends.cpu]: platform"),
        ('[tool.benchbook.backends.cpu]\nplatform = "cpu"\ncount = "8"\n', "backends.cpu]: count"),
        (
            '[tool.benchbook.backends.cpu]\nplatform = "cpu"\ndevice-kind = "("\n',
            "backends.cpu]: device-kind",
        ),
        ('[tool.benchbook.backends.cpu]\nplatform = "cpu"\nenv = { N = 1 }\n', "backends.cpu]: env"),
        ('[tool.benchbook.backends.cpu]\nplatform = "cpu"\ncommand = [1]\n', "backends.cpu]: command"),
        (
            '[tool.benchbook.backends.cpu]\nplatform = "cpu"\npatience = 0\n',
            "patience must be a whole number of seconds, at least 1",
        ),
        ('[tool.benchbook.backends.cpu]\nplatform = "cpu"\npatience = 1.5\n', "backends.cpu]: patience"),
        ('[tool.benchbook.backends.cpu]\nplatform = "cpu"\npatience = true\n', "backends.cpu]: patience"),
    ],
)
def test_wrong_settings_are_named(tmp_path: Path, text: str, message: str):
    """Each mistake is one line with the file, and ends with status 2."""
    with pytest.raises(UsageError) as caught:
        find(settings(tmp_path / "p", text))
    assert Path(caught.value.path or "").name == "pyproject.toml"
    assert message in caught.value.message
    assert caught.value.mend
    assert caught.value.exit_status == 2


def test_a_backend_has_what_its_table_says(tmp_path: Path):
    """Every key is read, and what is not there has its default."""
    text = (
        '[tool.benchbook.backends.cpu]\nplatform = "cpu"\n'
        '[tool.benchbook.backends.far]\nplatform = "gpu"\ndevice-kind = "NVIDIA .*"\ncount = 2\n'
        'env = { A = "1" }\ncommand = ["ssh", "far", "python3"]\ndoc = "far away"\n'
        "patience = 3600\n"
    )
    project = find(settings(tmp_path, text))
    assert project.backend("cpu") == Backend(name="cpu", platform="cpu", patience=300)
    assert project.backend("far") == Backend(
        "far", "gpu", "NVIDIA .*", 2, {"A": "1"}, ("ssh", "far", "python3"), "far away", 3600
    )
    assert project.shown == ("cpu", "far")


def test_a_backend_that_is_not_there_names_those_that_are(project: Project):
    """A typing mistake is answered with the choices."""
    with pytest.raises(UsageError, match=r"no backend is named 'gpu' \(choose from cpu, cuda\)"):
        project.backend("gpu")


def test_slugs_are_two_parts_and_sorted(tmp_path: Path):
    """The shared harness, private files and deeper folders are no lessons."""
    names = ["b/one", "a/two", "a/one", "harness", "a/_private", "A/big", "a/deep/er"]
    project = make_project(tmp_path, dict.fromkeys(names, "x = 1\n"))
    assert project.slugs() == ["a/one", "a/two", "b/one"]


def test_one_slug_names_a_lesson_in_every_tree(project: Project):
    """Snippet, page and runs lie where the design says."""
    assert project.relative(project.snippet_path("a/b")) == "snippets/a/b.py"
    assert project.relative(project.page_path("a/b")) == "docs/a/b.md"
    assert project.relative(project.runs / "a/b") == "docs/runs/a/b"
    assert project.relative(project.local_runs / "a/b") == ".benchbook/runs/a/b"
    assert project.relative(Path("elsewhere")) == "elsewhere"


def test_what_mkdocs_ignores_is_no_page(project: Project):
    """Lock files and hidden folders of editors are no pages, and a folder is none whatever its name."""
    (project.docs / ".#index.md").symlink_to("user@host.123:456")
    (project.docs / ".trash").mkdir()
    (project.docs / ".trash/old.md").write_text("# Old\n")
    (project.docs / "folder.md").mkdir()
    (project.docs / "folder.md/in.md").write_text("# In\n")
    assert [project.relative(page) for page in project.pages()] == ["docs/folder.md/in.md"]
