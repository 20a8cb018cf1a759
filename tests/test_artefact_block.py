"""A page shows a file that a run left behind: each backend's own, with what proves it, or that it lacks."""

import gzip
import hashlib
import re
from typing import Any

import markdown
import pytest

from benchbook import archive
from benchbook.archive import artefact_path
from benchbook.blocks import shortfall
from benchbook.building import fragment
from benchbook.errors import PageError
from benchbook.pages.page import scan
from benchbook.pages.use import Use
from benchbook.project import Project
from tests.factory import make_run, store_run
from tests.rendering import EXTENSIONS, Text, derive, render
from tests.test_blocks import mkdocs, on_cuda, site

PAGE = "/// artefact | chapter/lesson trace\nA trace of *one* call.\n///\n"
BYTES = b"\x1f\x8b" + bytes(range(200)) * 70


def kept(data: bytes = BYTES, path: str = "trace.json.gz") -> dict[str, Any]:
    """The run's word for one artefact, named trace."""
    digest = hashlib.sha256(data).hexdigest()
    return {"trace": {"path": path, "type": "application/gzip", "sha256": digest, "size": len(data)}}


def test_a_file_is_a_link_with_type_size_digest_and_how_to_open(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text says what it is; the file is the run's; the run page has the whole digest and the steps."""
    stored = store_run(project, artefacts=kept())
    html = render(project, PAGE, monkeypatch)
    links = Text(html).all("a")
    assert "<p>A trace of <em>one</em> call.</p>" in html
    assert [link["href"] for link in links if "download" in link] == [
        f"/runs/chapter/lesson/{stored.path.stem}/trace.json.gz"
    ]
    digest = hashlib.sha256(BYTES).hexdigest()
    assert f" · application/gzip · 14.0 kB, 14002 bytes · sha256 {digest[:12]} · " in html
    assert f"/runs/chapter/lesson/index.md#run-{stored.id}-file-trace" in [link["href"] for link in links]
    assert f'data-run="{stored.id}"' in html
    assert " · 5 processes, file of the first · run " in html
    assert "no run on cuda yet" in html


def test_a_file_needs_no_words(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a text the block is the file alone, and leaves no empty place."""
    store_run(project, artefacts=kept())
    html = render(project, "/// artefact | chapter/lesson trace\n///\n", monkeypatch)
    assert re.search(r'<div class="bb-artefact">\s*<p class="bb-file">', html)


def test_each_backend_has_its_own_file(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a tab a backend; ``run`` chooses one; a run without the file has no other's."""
    mine = store_run(project, artefacts=kept())
    other = store_run(project, artefacts=kept(b"x", "other.json.gz"), **on_cuda())
    html = render(project, PAGE, monkeypatch)
    assert html.count("tabbed-block") == 2
    assert f"{mine.path.stem}/trace.json.gz" in html
    assert f"{other.path.stem}/other.json.gz" in html
    assert "1 byte ·" in html
    one = render(project, PAGE.replace("trace\n", "trace\n    run: cuda\n"), monkeypatch)
    assert mine.path.stem not in one
    assert f"{other.path.stem}/other.json.gz" in one


def test_a_run_without_the_file_says_so(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other run's file does not stand in."""
    store_run(project, artefacts=kept())
    store_run(project, **on_cuda())
    html = render(project, PAGE, monkeypatch)
    assert html.count("This run holds no such file; no other stands in.") == 1
    assert html.count("download") == 1


def test_without_a_run_no_file_stands_in(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is recorded yet the block says so."""
    html = render(project, PAGE, monkeypatch)
    assert "No run on cpu or cuda yet; no other file stands in." in html


def test_a_stale_file_says_so(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the code changed after the run, the file is one of other code."""
    store_run(project, artefacts=kept())
    snippet = project.snippet_path("chapter/lesson")
    snippet.write_text(snippet.read_text().replace("arange(3.0)", "arange(4.0)"))
    html = render(project, PAGE, monkeypatch)
    assert "Stale: the lesson's code changed after this run was recorded." in html


def test_a_file_that_is_not_here_is_no_link(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site does not hold the files of a run that was not accepted."""
    archive.save(make_run(artefacts=kept()), project.local_runs, {"trace.json.gz": BYTES})
    (project.docs / "p.md").write_text(PAGE)
    derive(project, local=True)
    monkeypatch.chdir(project.root)
    html = markdown.markdown(PAGE, extensions=EXTENSIONS)
    assert "trace.json.gz" in html
    assert "download" not in html


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("chapter/lesson trase", r"p\.md:3: no current run .* artefact 'trase' \(name one of: trace\)"),
        ("chapter/lesson total", r"p\.md:3: no current run .* artefact 'total' \(name one of: trace\)"),
    ],
)
def test_an_unknown_name_fails_the_build(project: Project, argument: str, said: str) -> None:
    """What no run holds is named, with what they hold; the name of a cell is none."""
    store_run(project, artefacts=kept())
    use = Use("artefact", argument, {}, "", 3)
    derived = fragment.derive(project, "chapter/lesson", uses=[use], local=False)
    with pytest.raises(PageError, match=said):
        shortfall.check(use, derived, path="p.md")


def test_runs_without_any_file_tell_what_to_assign(project: Project) -> None:
    """Where there is nothing to name, the mend is to record it."""
    store_run(project)
    use = Use("artefact", "chapter/lesson trace", {}, "", 3)
    derived = fragment.derive(project, "chapter/lesson", uses=[use], local=False)
    with pytest.raises(PageError, match="assign artefacts, and record"):
        shortfall.check(use, derived, path="p.md")


@pytest.mark.parametrize("head", ["/// artefact", "/// artefact | chapter/lesson", "/// artefact | trace"])
def test_a_block_without_lesson_and_name_is_refused(head: str) -> None:
    """The form that is asked for is in the error."""
    with pytest.raises(PageError, match=r"write '/// artefact \| chapter/lesson artefact'"):
        scan(f"{head}\n///\n", path="p.md")


def test_a_strict_build_serves_the_file(project: Project) -> None:
    """The link leads to the run's own bytes; a page that asks for another name ends the build."""
    stored = store_run(project, artefacts=kept())
    file = artefact_path(stored.path, "trace.json.gz")
    file.parent.mkdir()
    file.write_bytes(BYTES)
    site(project, PAGE)
    stub = project.runs / "chapter/lesson/index.md"
    stub.write_text(f'{stub.read_text()}\n<a id="run-{stored.id}-file-trace"></a>\n')
    derive(project)
    built = mkdocs(project)
    assert built.returncode == 0, built.stderr
    links = Text((project.root / "site/p/index.html").read_text()).all("a")
    (link,) = (link["href"] for link in links if "download" in link)
    assert (project.root / "site/p" / str(link)).read_bytes() == BYTES
    (project.docs / "p.md").write_text(PAGE.replace("trace", "trase", 1))
    built = mkdocs(project)
    assert built.returncode != 0
    assert "docs/p.md:1: no current run of chapter/lesson holds an artefact 'trase'" in built.stderr


def test_a_block_is_light(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a page that has a block of the kind, another one takes at most 250 bytes, as sent."""
    two = kept() | {"memory": kept(b"memory" * 900, "memory.pb.gz")["trace"]}
    store_run(project, artefacts=two)
    first = "/// output | chapter/lesson\n///\n\n/// artefact | chapter/lesson trace\n///\n\n"
    both = first + "/// artefact | chapter/lesson memory\n///\n"
    sizes = [len(gzip.compress(render(project, text, monkeypatch).encode(), 6)) for text in (first, both)]
    assert sizes[1] - sizes[0] <= 250
