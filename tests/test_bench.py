"""The bench: every measurement that the site stands by, equal to its run, with its meaning beside it."""

import csv
import io
import json
import statistics
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from benchbook import archive
from benchbook.archive import Stored
from benchbook.building import builder, ledger
from benchbook.building.roster import COLUMNS
from benchbook.freshness import stands_for
from benchbook.lesson import snippet
from benchbook.project import Project
from tests import built
from tests.browser import Visitor
from tests.built import PROJECT
from tests.factory import SNIPPET, make_run, run_tree, store_run

CHANGED = SNIPPET.replace("jnp.sum(x)", "jnp.sum(x) + 0")
RUNS = {path.name[-17:-5]: path for path in PROJECT.runs.rglob("*.json")}
HOSTILE = (
    '=cmd|"/c x"!A1</td></tr></table><script>alert(1)</script> [a](b) ![c](d) `e` {: .f} :value[g h] | <!--'
)


def sheet(project: Project) -> list[dict[str, str]]:
    """The rows of the CSV of a project that is built now."""
    builder.build(project)
    return rows((project.docs / "bench.csv").read_bytes())


def rows(data: bytes) -> list[dict[str, str]]:
    """The rows of a CSV, by their columns' names."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))


def on(jax: str, **changes: Any) -> dict[str, Any]:
    """Changes that put a run on another JAX."""
    return {"environment": run_tree()["environment"] | {"jax": jax, "jaxlib": jax}, **changes}


def saying(text: str) -> dict[str, Any]:
    """Changes that put one text wherever a run may hold any."""
    tree = run_tree()
    told = {"inputs": [text], "wait": text, "excludes": text, "unit": text}
    measurements = {name: found | told for name, found in tree["measurements"].items()}
    cpu = tree["hardware"]["cpu"] | {"model": text}
    return {"measurements": measurements, "hardware": tree["hardware"] | {"cpu": cpu}}


def table(html: str) -> list[Element]:
    """The rows of all tables that can be sorted, in the page's order."""
    found = [node for node in built.tree(html).iter("table") if "data-sortable" in node.attrib]
    bodies = [node.find("tbody") for node in found]
    return [row for body in bodies if body is not None for row in body]


# What stands there


def test_each_number_is_what_the_run_says(site: Path):
    """Median, extremes and spread of each row are those of the run file's samples, in the base unit."""
    found = rows((site / "bench.csv").read_bytes())
    assert found
    for row in found:
        measured = json.loads(RUNS[row["run"]].read_text())["measurements"][row["measurement"]]
        samples = [sample for process in measured["samples"] for sample in process]
        medians = [statistics.median(process) for process in measured["samples"]]
        median = statistics.median(medians)
        assert float(row["median"]) == median
        assert float(row["minimum"]) == min(samples)
        assert float(row["maximum"]) == max(samples)
        assert float(row["mad"]) == pytest.approx(statistics.median(abs(m - median) for m in medians))
        assert float(row["low"]) <= median <= float(row["high"])
        assert (int(row["processes"]), int(row["samples"])) == (len(medians), len(samples))
        assert row["verdict"] == ("stable" if float(row["mad"]) <= 0.05 * median else "not stable")
        assert row["inputs"] == "; ".join(measured["inputs"])
        for key in ("unit", "warmup", "calls", "wait", "excludes"):
            assert row[key] == str(measured[key])


def test_every_lesson_is_there_with_each_jax(site: Path):
    """No measurement of a fresh run is left out, unless a later run with the same JAX has it."""
    found = {
        (row["lesson"], row["jax"], row["measurement"]) for row in rows((site / "bench.csv").read_bytes())
    }
    for slug in PROJECT.slugs():
        path = PROJECT.snippet_path(slug)
        cells = snippet.load(path, slug=slug, shown=PROJECT.relative(path)).cells
        for stored in archive.load_all(PROJECT, PROJECT.runs, slug):
            is_retracted = stored.id in archive.retracted(PROJECT)
            if stands_for(stored.run.source.text, cells) and not is_retracted:
                jax = stored.run.environment.jax
                assert {(slug, jax, name) for name in stored.run.measurements} <= found


def test_the_page_and_the_spreadsheet_say_the_same(site: Path):
    """Row for row the page sorts by the numbers of the CSV, and links the run's own anchor for them."""
    found = [
        node for node in table((site / "bench/index.html").read_text()) if node.get("class") == "bb-noted"
    ]
    stated = rows((site / "bench.csv").read_bytes())
    assert len(found) == len(stated)
    for node, row in zip(found, stated, strict=True):
        cells = dict(zip(COLUMNS, list(node), strict=True))
        texts = [built.text(cells[name]) for name in ("Measurement", "Backend", "JAX", "Verdict", "Date")]
        assert texts == [row[name] for name in ("measurement", "backend", "jax", "verdict", "date")]
        for name, column in (("Median [95% interval]", "median"), ("Min", "minimum"), ("Max", "maximum")):
            assert float(cells[name].attrib["data-value"]) == float(row[column])


def test_no_number_stands_without_its_meaning(site: Path):
    """Below each row are dtypes and shapes, method, rule and device, and a link to the samples of its run."""
    stated = rows((site / "bench.csv").read_bytes())
    found = table((site / "bench/index.html").read_text())
    for row, (numbers, note) in zip(stated, zip(found[::2], found[1::2], strict=True), strict=True):
        assert numbers.get("class") == "bb-noted"
        assert [node.get("class") for node in note] == ["bb-note"]
        text = built.text(note)
        for key in ("wait", "excludes", "rule", "device", "run"):
            assert row[key] in text
        assert row["inputs"].replace("; ", ", ") in text
        assert f"{row['calls']} \u00d7 {row['processes']}" in text
        assert f"warm-up calls: {row['warmup']}" in text
        link = next(note.iter("a")).attrib["href"]
        assert link == f"../{row['link']}"
    links = [row["link"].split("#") for row in stated]
    pages = {page for page, _ in links}
    trees = {page: built.tree((site / page / "index.html").read_text()) for page in pages}
    anchors = {page: {node.get("id") for node in tree.iter()} for page, tree in trees.items()}
    assert [link for link in links if link[1] not in anchors[link[0]]] == []


def test_each_column_is_explained(site: Path):
    """The page says of each column of the CSV, in its order, what it holds."""
    page = built.tree((site / "bench/index.html").read_text())
    plain = [node for node in page.iter("table") if "data-sortable" not in node.attrib]
    names = [built.text(row[0]) for row in plain[-1].iter("tr")][1:]
    assert names == list(ledger.FIELDS)
    assert (site / "bench.csv").read_bytes().split(b"\r\n")[0].decode() == ",".join(names)


def test_with_an_address_links_are_whole(site: Path, published: Path):
    """A spreadsheet on its own leads to the run's page; nothing else of it differs."""
    here, there = (rows((folder / "bench.csv").read_bytes()) for folder in (site, published))
    for row, whole in zip(here, there, strict=True):
        assert whole.pop("link") == f"https://example.org/measured/{row.pop('link')}"
        assert whole == row


def test_search_passes_over_the_rows(site: Path):
    """What the page says can be searched for; its numbers and their methods cannot."""
    index = json.loads((site / "search/search_index.json").read_text())["docs"]
    found = " ".join(entry["text"] for entry in index if entry["location"].startswith("bench/"))
    assert "It ranks no machine" in found
    excluded = {row["excludes"] for row in rows((site / "bench.csv").read_bytes())}
    assert not any(text in found for text in excluded)
    assert "first_call" not in found


# Which runs take part


def test_current_runs_and_the_latest_of_each_jax_take_part(project: Project):
    """An earlier run of the same JAX does not, and a current one is marked."""
    new, old = store_run(project), store_run(project, **on("0.9.2"))
    store_run(project, started="2026-01-01T00:00:00Z")
    found = sheet(project)
    assert [(row["run"], row["current"]) for row in found if row["measurement"] == "eager"] == [
        (new.id, "true"),
        (old.id, "false"),
    ]
    assert "<strong" in (project.docs / "bench.md").read_text()


def test_rows_of_one_name_stand_together(project: Project):
    """They go by backend as the site orders them, then from the newest JAX to the oldest, as numbers."""
    for jax in ("0.9.2", "0.12.0", "0.10.1"):
        store_run(project, **on(jax))
    store_run(project, backend="cuda", **on("0.11.0"))
    store_run(project, backend="aaa", **on("0.11.0"))
    found = [(row["measurement"], row["backend"], row["jax"]) for row in sheet(project)]
    places = [("cpu", "0.12.0"), ("cpu", "0.10.1"), ("cpu", "0.9.2"), ("cuda", "0.11.0"), ("aaa", "0.11.0")]
    assert found == [(name, *place) for name in ("eager", "compiled") for place in places]
    page = (project.docs / "bench.md").read_text()
    ranks = {
        jax: page.split(f">{jax.replace('.', '&#46;')}</td>")[0].rsplit('data-value="', 1)[1]
        for _, jax in places
    }
    values = [int(ranks[jax].removesuffix('"')) for jax in ("0.9.2", "0.10.1", "0.11.0", "0.12.0")]
    assert all(low < high for low, high in pairwise(values))


def test_a_retracted_run_never_appears(project: Project):
    """What was found wrong is no measurement any more."""
    wrong, right = store_run(project), store_run(project, started="2026-01-01T00:00:00Z")
    project.runs.joinpath("retracted.toml").write_text(f'["{wrong.id}"]\nreason = "w"\ndate = "2026-02-02"\n')
    assert {row["run"] for row in sheet(project)} == {right.id}
    assert wrong.id not in (project.docs / "bench.md").read_text()


def test_a_stale_run_is_marked_where_it_is_all_there_is(project: Project):
    """A backend that cannot be recorded again keeps its row; of another JAX only a fresh run counts."""
    stale = store_run(project, backend="cuda", source_text=CHANGED)
    store_run(project, **on("0.9.2", source_text=CHANGED))
    fresh = store_run(project)
    found = {(row["run"], row["stale"]) for row in sheet(project)}
    assert found == {(stale.id, "true"), (fresh.id, "false")}
    assert (project.docs / "bench.md").read_text().count(">stale</strong>") == 2


def test_a_run_of_this_machine_is_said_to_be_one(project: Project):
    """It takes part only where it is asked for, and never looks accepted."""
    store_run(project, started="2026-01-01T00:00:00Z")
    own = archive.save(make_run(started="2026-05-05T00:00:00Z"), project.local_runs)
    assert own.id not in {row["run"] for row in sheet(project)}
    builder.build(project, local=True)
    found = rows((project.docs / "bench.csv").read_bytes())
    assert {row["accepted"] for row in found if row["run"] == own.id} == {"false"}
    assert ">not accepted</strong>" in (project.docs / "bench.md").read_text()


def test_one_process_gives_no_interval_and_no_verdict(project: Project):
    """Empty cells say so, and the page takes none for a number."""
    tree = run_tree()
    measurements = {n: m | {"samples": m["samples"][:1]} for n, m in tree["measurements"].items()}
    store_run(project, measurements=measurements, method=tree["method"] | {"processes": 1, "process_ns": [5]})
    found = sheet(project)
    assert {(row["low"], row["high"], row["verdict"]) for row in found} == {("", "", "no verdict")}
    assert "one process says nothing of stability" in found[0]["rule"]


def test_an_empty_archive_is_said_to_be_one(project: Project):
    """Without a measurement there is a sentence in place of a table, and a CSV with its header only."""
    store_run(project, measurements={})
    assert sheet(project) == []
    assert (project.docs / "bench.csv").read_text().splitlines() == [",".join(ledger.FIELDS)]
    page = (project.docs / "bench.md").read_text()
    assert "There is none" in page
    assert "<table" not in page


def test_the_same_runs_give_the_same_bytes(project: Project):
    """Whatever was there before, and however often it is built."""
    for jax in ("0.9.2", "0.12.0"):
        store_run(project, **on(jax))
    sheet(project)
    before = [(project.docs / name).read_bytes() for name in ("bench.md", "bench.csv")]
    builder.build(project, force=True)
    assert [(project.docs / name).read_bytes() for name in ("bench.md", "bench.csv")] == before


# Recorded text is data


def test_a_text_that_looks_like_a_number_stays_one(project: Project):
    """It has an apostrophe before it, in columns of texts only; days and versions are written plainly."""
    stored = store_run(project, **saying("012345678901"))
    for row in sheet(project):
        assert {row[key] for key in ("inputs", "wait", "excludes", "unit", "device")} == {"'012345678901"}
        assert (row["date"], row["jax"]) == ("2026-01-02", "0.12.0")
        assert row["run"].removeprefix("'") == stored.id
        assert float(row["median"]) > 0
    assert "could be taken for a date" in (project.docs / "bench.md").read_text()


def test_recorded_text_is_inert(project: Project):
    """No text of a run makes an element, a link or a formula; the page shows it as it is."""
    store_run(project, **saying(HOSTILE))
    found = sheet(project)
    assert {row[key] for row in found for key in ("inputs", "wait", "excludes", "unit", "device")} == {
        f"'{HOSTILE}"
    }
    (project.root / "mkdocs.yml").write_text(
        "site_name: T\ntheme: {name: material, font: false}\n"
        "markdown_extensions: [attr_list, md_in_html, tables, pymdownx.superfences, benchbook.blocks]\n"
    )
    (project.docs / "chapter").mkdir(exist_ok=True)
    (project.docs / "index.md").write_text("# T\n")
    built.run_tool("mkdocs", "build", "--strict", folder=project.root)
    body = table((project.root / "site/bench/index.html").read_text())
    assert len(body) == 4
    text = " ".join(HOSTILE.split())
    assert all(built.text(note).count(text) == 4 for note in body[1::2])
    inside = {node.tag for row in body for node in row.iter()}
    assert inside == {"tr", "td", "th", "code", "span", "time", "p", "a", "strong"}


# In a browser


@pytest.fixture
def stored() -> Stored:
    """One of the runs that the page shows."""
    path = min(RUNS.values())
    return Stored.load(path, shown=PROJECT.relative(path))


@pytest.mark.browser
def test_a_row_leads_to_its_samples(visit: Visitor, stored: Stored):
    """The run's name below a row opens the run's page at that measurement."""
    name = next(iter(stored.run.measurements))
    page = visit("/bench/").page
    page.locator(f".bb-note a[href$='#run-{stored.id}-{name}']").click()
    page.wait_for_url(f"**/#run-{stored.id}-{name}")
    assert page.locator(f"#run-{stored.id}-{name}").is_visible()


@pytest.mark.browser
def test_a_method_is_in_view_on_a_phone(visit: Visitor):
    """At 320 pixels the table scrolls by keyboard, and a method stays in view meanwhile."""
    page = visit("/bench/", width=320).page
    region = page.locator(".bb-bench").first
    assert region.get_attribute("tabindex") == "0"
    region.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.activeElement.scrollLeft > 0")
    for note in region.locator(".bb-note > p").all():
        box = note.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320


@pytest.mark.browser
def test_rows_are_sorted_by_their_numbers(visit: Visitor):
    """A click on a head orders rows by the number behind the text, and each keeps its method below it."""
    page = visit("/bench/").page
    body = page.locator(".bb-bench table").first
    before = body.locator(".bb-noted + tr .bb-note").all_inner_texts()
    body.locator("th", has_text="Median").get_by_role("button").click()
    cells = body.locator(".bb-noted td:nth-child(2)")
    values = cells.evaluate_all("nodes => nodes.map(node => Number(node.dataset.value))")
    assert values == sorted(values)
    after = body.locator(".bb-noted + tr .bb-note").all_inner_texts()
    assert len(after) == len(values)
    assert sorted(after) == sorted(before)
