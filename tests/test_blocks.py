"""Blocks show recorded runs as they are: escaped, with their provenance, and never another's numbers."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import markdown
import pytest

from benchbook.building import fragment
from benchbook.errors import PageError
from benchbook.pages.page import load
from benchbook.project import Project
from tests.factory import SNIPPET, run_tree, store_run
from tests.rendering import EXTENSIONS, Text, derive, render

MKDOCS = """\
site_name: T
theme: {name: material, font: false}
plugins: []
markdown_extensions: [attr_list, pymdownx.blocks.details, pymdownx.superfences, benchbook.blocks]
not_in_nav: /runs/
nav: [p.md]
validation:
  links: {not_found: warn, anchors: warn, absolute_links: relative_to_docs, unrecognized_links: warn}
"""
ALL = """\
---
title: T
---
# Page

/// cell | chapter/lesson
///

/// starter | chapter/lesson exercise
///

/// output | chapter/lesson
///

/// figure | chapter/lesson total
    alt: Two bars of 3
A *caption*, :value[chapter/lesson total].
///

/// measurements | chapter/lesson
///

/// claim | chapter/lesson
    holds: eager > compiled
Eager takes longer.
///

It took :value[chapter/lesson compiled.median], `:value[not this]`.
"""
HOSTILE = (
    "<script>alert(1)</script>\n```\n# heading\n/// cell | a/b\n///\n"
    ":value[a/b c] \\* &lt; &amp;amp; {: .x #y }\n"
    "*a* _b_ [l](javascript:x) \x1b[31mred\x1b[0m\n\x00\x02wzxhzdk:0\x03\n 1%\r 99%\r100%\n"
)


def cells(**streams: str) -> list[dict[str, Any]]:
    """The cells of a run, the second with other streams or dropped bytes."""
    tree: list[dict[str, Any]] = run_tree()["cells"]
    return [cell | (streams if cell["name"] == "total" else {}) for cell in tree]


def on_cuda() -> dict[str, Any]:
    """Changes that make a run one of the GPU."""
    hardware = run_tree()["hardware"]
    device = {"platform": "gpu", "kind": "NVIDIA X", "count": 1, "memory_bytes": None, "driver": None}
    return {"backend": "cuda", "hardware": hardware | {"device": device}}


def site(project: Project, text: str = ALL) -> None:
    """A tiny MkDocs project: the page, a stub of the run page with its anchors, and the other files."""
    (project.root / "mkdocs.yml").write_text(MKDOCS)
    (project.docs / "p.md").write_text(text)
    for path in project.runs.glob("chapter/lesson/*.json"):
        run_id = path.stem[-12:]
        anchors = "".join(f'<a id="run-{run_id}{end}"></a>' for end in ("", "-eager", "-compiled"))
        (project.runs / "chapter/lesson/index.md").write_text(f"# Runs\n\n<div>{anchors}</div>\n")
        figure = project.docs / f"figures/chapter/lesson/cpu-{run_id}-total"
        copies = project.docs / "snippets/chapter/lesson.py", project.docs / "notebooks/chapter/lesson.ipynb"
        for file in (*copies, *(figure.with_suffix(end) for end in (".light.svg", ".dark.svg", ".csv"))):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("<svg/>")


def mkdocs(project: Project) -> subprocess.CompletedProcess[str]:
    """A real build, which says at its end which modules it loaded."""
    code = (
        "import sys\nfrom mkdocs.__main__ import cli\n"
        "try:\n    cli(['build', '--strict'])\nfinally:\n    print('MODULES', *sys.modules)\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code], cwd=project.root, capture_output=True, text=True, check=False
    )


def test_a_strict_mkdocs_build_links_everything_and_stays_light(project: Project) -> None:
    """Links and drawings are found and made relative; no heavy module is loaded."""
    store_run(project)
    site(project)
    derive(project)
    built = mkdocs(project)
    assert built.returncode == 0, built.stderr
    loaded = built.stdout.split("MODULES", 1)[1].split()
    assert "benchbook.blocks" in loaded
    assert {"pydantic", "scipy", "numpy", "matplotlib", "jax"}.isdisjoint(loaded)
    html = Text((project.root / "site/p/index.html").read_text())
    links = [str(link.get("href")) for link in html.all("a")]
    assert sum(link.startswith("../runs/chapter/lesson/#run-") for link in links) >= 5
    images = [image for image in html.all("img") if "/figures/" in str(image["src"])]
    assert [str(image["src"]).rsplit("#")[1] for image in images] == ["only-light", "only-dark"]
    assert {image["alt"] for image in images} == {"Two bars of 3"}
    assert all((project.root / "site/p" / str(image["src"]).split("#")[0]).exists() for image in images)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("/// cell | chapter/lesson totl\n///", "docs/p.md:7: chapter/lesson has no cell 'totl'"),
        ("/// cel | chapter/lesson\n///", "docs/p.md:7: '/// cel | chapter/lesson' is no block"),
        ("/// cell | chapter/none\n///", "docs/p.md:7: there is no snippet of chapter/none"),
        (":value[chapter/lesson totl]", "docs/p.md:7: no result or measurement is named 'totl'"),
        ("/// tab | One\ntext\n///", "left over as text"),
    ],
)
def test_a_wrong_page_ends_the_build_with_one_clear_line(project: Project, text: str, said: str) -> None:
    """MkDocs names the page, the line in the file and the mend, and prints no traceback."""
    store_run(project)
    site(project, "---\ntitle: T\n---\n\n# Page\n\n" + text + "\n")
    (project.fragments / "chapter").mkdir(parents=True)
    data = fragment.derive(project, "chapter/lesson", uses=[], local=False)
    (project.fragments / "chapter/lesson.json").write_text(json.dumps(data))
    built = mkdocs(project)
    assert built.returncode == 1
    assert said in built.stderr
    assert "Traceback" not in built.stderr


def test_a_missing_fragment_says_what_to_run(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was derived yet."""
    monkeypatch.chdir(project.root)
    with pytest.raises(PageError, match=r"nothing is derived for chapter/lesson \(run benchbook build"):
        markdown.markdown("/// cell | chapter/lesson\n///\n", extensions=EXTENSIONS)


def test_captured_text_is_shown_and_never_obeyed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Markup, fences, blocks, values, headings and control characters come out as the text they are."""
    store_run(project, cells=cells(stdout=HOSTILE))
    html = Text(render(project, "/// output | chapter/lesson total\n///\n", monkeypatch))
    assert html.all("script") == html.all("h1") == []
    assert html.code == [
        "<script>alert(1)</script>\n```\n# heading\n/// cell | a/b\n///\n"
        ":value[a/b c] \\* &lt; &amp;amp; {: .x #y }\n*a* _b_ [l](javascript:x) red\n␀␂wzxhzdk:0␃\n100%"
    ]


def test_recorded_words_in_tables_and_titles_are_text(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A measurement's method, a result and a device can set no attribute and make no element."""
    evil = '<b onclick="x">&lt;*em* :value[x] \x02wzxhzdk:0\x03 {: onclick=alert(1) }'
    tree = run_tree()
    rows = {
        name: row | {"wait": evil, "excludes": evil, "inputs": [evil]}
        for name, row in tree["measurements"].items()
    }
    hardware = tree["hardware"] | {"cpu": tree["hardware"]["cpu"] | {"model": evil}}
    store_run(project, measurements=rows, hardware=hardware, results={"total": evil})
    values = ":value[chapter/lesson total] :value[chapter/lesson eager]\n"
    text = f"/// measurements | chapter/lesson\n///\n\n{values}"
    html = render(project, text, monkeypatch)
    assert not [tag for tag, attributes in Text(html).tags if tag in ("b", "em") or "onclick" in attributes]
    shown = '&lt;b onclick="x"&gt;&amp;lt;*em* :value[x] ␂wzxhzdk:0␃ {: onclick=alert(1) }'
    assert html.count(f">{shown}<") == 1
    notes = re.findall(r'<td class="bb-note".*?</td>', html)
    assert [note.count(shown) for note in notes] == [3, 3]
    assert f"<span> · {shown} · " in html


def test_standard_error_and_dropped_bytes_are_shown_apart(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader sees which stream a line came from, and how much was not kept."""
    store_run(project, cells=cells(stdout="out\n", stderr="err\n", stderr_dropped=7))  # type: ignore[arg-type]
    html = render(project, "/// output | chapter/lesson total\n///\n", monkeypatch)
    assert html.index("bb-stdout") < html.index("on standard error") < html.index("bb-stderr")
    assert "7 more bytes were printed, and counted but not kept." in html


def test_the_whole_transcript_ends_in_its_pass_line(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exercises' output is no spoiler, silent cells are left out, and PASS counts cells and processes."""
    printing = [cell | {"stdout": f"from {cell['name']}\n"} for cell in run_tree()["cells"]]
    store_run(project, cells=printing)
    html = render(project, "/// output | chapter/lesson\n///\n", monkeypatch)
    assert Text(html).code == ["from inputs", "from total"]
    assert "every assertion of the 3 cells, exercises included, held in 5 processes." in html


def test_each_backend_has_a_tab_and_its_own_provenance(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tabs work by radio buttons alone: unique ids, one label each, the first open."""
    cpu, cuda = store_run(project), store_run(project, **on_cuda())
    text = "/// output | chapter/lesson\n///\n\n/// measurements | chapter/lesson\n///\n"
    html = render(project, text, monkeypatch)
    inputs = Text(html).all("input")
    ids = [str(entry["id"]) for entry in inputs]
    assert len(set(ids)) == 4
    assert [label["for"] for label in Text(html).all("label")] == ids
    assert [entry["name"] for entry in inputs if "checked" in entry] == ["bb-tabs-1", "bb-tabs-2"]
    for backend, device, stored in (("cpu", "A CPU", cpu), ("cuda", "NVIDIA X", cuda)):
        line = (
            f'<p class="bb-provenance" data-backend="{backend}" data-run="{stored.id}">'
            f'<span class="bb-backend" data-backend="{backend}">{backend}</span>'
            f"<span> · {device} · JAX 0.12.0 · </span>"
            '<time datetime="2026-01-02">2026-01-02</time><span> · 5 processes · run </span>'
            f'<a href="/runs/chapter/lesson/index.md#run-{stored.id}">{stored.id}</a>'
        )
        assert html.count(line) == 1
    assert [label["data-backend"] for label in Text(html).all("label")] == ["cpu", "cuda"] * 2
    assert html.count("2 of 2 stable") == 2
    assert "bb-missing" not in html


def test_a_backend_without_a_run_is_named_once_a_block(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other backend's numbers stand in; the output of one cell leaves it to the whole transcript."""
    text = (
        "/// output | chapter/lesson\n///\n\n/// output | chapter/lesson total\n///\n\n"
        "/// figure | chapter/lesson total\n    alt: x\nC.\n///\n"
    )
    empty = render(project, text, monkeypatch)
    assert empty.count("No run on cpu or cuda yet; no other numbers stand in.") == 3
    store_run(project)
    assert render(project, text, monkeypatch).count("no run on cuda yet") == 2


def test_a_run_that_is_asked_for_is_shown_alone(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """No tabs, no other backend, no missing line."""
    store_run(project)
    environment = run_tree()["environment"] | {"jax": "0.9.2"}
    old = store_run(project, environment=environment, results={"total": 9.5})
    text = "/// output | chapter/lesson\n    run: cpu-0.9.2\n///\n\n:value[chapter/lesson@cpu-0.9.2 total]\n"
    html = render(project, text, monkeypatch)
    assert (html.count("tabbed-set"), html.count("bb-missing")) == (0, 0)
    assert "JAX 0.9.2" in html
    assert re.search(rf'<a class="bb-value" href="[^"]*#run-{old.id}"[^>]*>9.5</a>', html)


def test_a_stale_block_says_so(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only blocks whose own cell, or one before it, changed."""
    store_run(project, source_text=SNIPPET.replace("jnp.sum(x)", "jnp.sum(x) + 0"))
    changed = render(project, "/// output | chapter/lesson total\n///\n", monkeypatch)
    assert "Stale: this cell, or one before it, changed after this run was recorded." in changed
    assert "Stale" not in render(project, "/// output | chapter/lesson inputs\n///\n", monkeypatch)


def test_a_local_run_is_marked(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not accepted is never taken for a reference."""
    store_run(project).path.parent.rename(project.root / "moved")
    (project.local_runs / "chapter").mkdir(parents=True)
    (project.root / "moved").rename(project.local_runs / "chapter/lesson")
    text = "/// output | chapter/lesson\n///\n"
    (project.docs / "p.md").write_text(text)
    derive(project, local=True)
    monkeypatch.chdir(project.root)
    assert "recorded on this machine, not accepted" in markdown.markdown(text, extensions=EXTENSIONS)


def test_a_claim_states_its_grounds(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdict, ratio with interval, processes, scope and run."""
    stored = store_run(project)
    html = render(
        project, "/// claim | chapter/lesson\n    holds: eager > compiled\nSo *it* is.\n///\n", monkeypatch
    )
    assert "<p>So <em>it</em> is.</p>" in html
    assert '<strong class="bb-verdict bb-holds">holds</strong>' in html
    assert (
        "left/right 3.00 [3.00, 3.00] (95% interval) · 5 processes · float32[3] · cpu · JAX 0.12.0 · run "
        in html
    )
    assert f"#run-{stored.id}" in html


def test_a_value_states_what_it_is(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its link leads to the measurement, and its title names inputs, method, backend and JAX."""
    stored = store_run(project)
    html = Text(render(project, "# Took :value[chapter/lesson compiled.median]\n", monkeypatch))
    (value,) = [link for link in html.all("a") if link.get("class") == "bb-value"]
    assert value["href"] == f"/runs/chapter/lesson/index.md#run-{stored.id}-compiled"
    assert value["title"] == (
        "compiled.median; compiled: float32[3]; wait each call; calls \u00d7 processes 4 \u00d7 5; "
        f"cpu, JAX 0.12.0, run {stored.id}"
    )


def test_a_value_that_is_not_stable_says_so(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its verdict stands beside the number in a sentence too."""
    tree = run_tree()
    tree["measurements"]["eager"]["samples"] = [[1000 * 2**number] * 4 for number in range(5)]
    store_run(project, measurements=tree["measurements"])
    html = render(project, ":value[chapter/lesson eager] :value[chapter/lesson compiled]\n", monkeypatch)
    assert html.count(" (not stable)</a>") == 1
    assert ">4.00 µs (not stable)</a>" in html


def test_an_output_says_whose_it_is(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shown was printed by the first of several processes; a table is of all."""
    store_run(project)
    text = "/// output | chapter/lesson total\n///\n\n/// measurements | chapter/lesson\n///\n"
    html = render(project, text, monkeypatch)
    assert html.count("5 processes, output of the first") == 1
    assert html.count("5 processes") == 2


def test_wide_tables_scroll_in_a_region_of_their_own(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The region takes the keyboard's focus and has a name."""
    store_run(project)
    html = Text(render(project, "/// measurements | chapter/lesson\n///\n", monkeypatch))
    (region,) = [entry for entry in html.all("div") if entry.get("role") == "region"]
    assert region["tabindex"] == "0"
    assert str(region["aria-label"]).startswith("Measurements of cpu")


def test_a_changed_fragment_is_read_again(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """`mkdocs serve` shows what the last build derived."""
    text = "/// output | chapter/lesson total\n///\n"
    assert "total 3.0" not in render(project, text, monkeypatch)
    store_run(project)
    assert "total 3.0" in render(project, text, monkeypatch)


def test_the_page_loads_like_any_other(project: Project) -> None:
    """The page of these tests uses every block and a value."""
    (project.docs / "p.md").write_text(ALL)
    kinds = {use.kind for use in load(project, Path(project.docs / "p.md")).uses}
    assert kinds == {"cell", "starter", "output", "figure", "measurements", "claim", "value"}
