"""A specimen names everything that its number rests on, and takes all of it from one run."""

import re

import pytest

from benchbook.blocks import shortfall
from benchbook.building import fragment
from benchbook.errors import PageError
from benchbook.pages.use import Use
from benchbook.project import Project
from tests.factory import store_run
from tests.rendering import Text, render

PAGE = "/// specimen | chapter/lesson compiled\nA *sum*, compiled.\n///\n"


def parts(html: str) -> dict[str, str]:
    """The text of each part, by its name."""
    found = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", html, re.DOTALL)
    plain = (tuple(re.sub(r"<[^>]+>|\s+", " ", text).strip() for text in pair) for pair in found)
    return {name: re.sub(r"\s+", " ", text) for name, text in plain}


def test_every_part_of_a_number_is_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was called, inputs, method, what is left out, interval, verdict, device, JAX and run stand."""
    stored = store_run(project)
    named = parts(render(project, PAGE, monkeypatch))
    measured = stored.run.measurements["compiled"]
    assert named["What was called"] == "A sum , compiled."
    assert named["Dtype and shapes"] == ", ".join(measured.inputs)
    assert named["Method"].startswith(f"{measured.calls} call")
    assert f"{len(measured.samples)} process" in named["Method"]
    assert measured.wait in named["Method"]
    assert named["Left out"] == measured.excludes
    assert re.fullmatch(r"[\d.]+ µs to [\d.]+ µs", named["95% interval"])
    assert named["Verdict"].startswith(("stable: ", "not stable: "))
    assert named["Device"].startswith("cpu")
    assert named["JAX"] == stored.run.environment.jax
    assert stored.run.started[:10] in named["Recorded"]
    assert stored.id in named["Recorded"]


def test_the_number_leads_to_its_samples(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number is the median of the run, and a link to the samples behind it."""
    stored = store_run(project)
    html = render(project, PAGE, monkeypatch)
    number = re.search(r'class="bb-quantity"><a href="([^"]+)">([^<]+)<', html)
    assert number is not None
    assert number[1].endswith(f"#run-{stored.id}-compiled")
    assert number[2] == "5.02 µs"


def test_the_ruler_shows_each_process_and_says_so(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a stroke a process, and words for those who do not see them."""
    stored = store_run(project)
    html = Text(render(project, PAGE, monkeypatch))
    count = len(stored.run.measurements["compiled"].samples)
    assert [line.get("class") for line in html.all("line")].count("bb-stroke") == count
    (ruler,) = html.all("svg")
    assert ruler["role"] == "img"
    assert (ruler["aria-label"] or "").startswith(f"The medians of {count} processes, from ")


def test_without_a_run_no_number_stands_in(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no run holds the number the specimen says so."""
    html = render(project, PAGE, monkeypatch)
    assert "No run holds this number yet." in html
    assert "bb-quantity" not in html


def test_an_unknown_measurement_fails_the_build(project: Project) -> None:
    """A measurement that the run does not hold is named, with those that it does."""
    store_run(project)
    use = Use("specimen", "chapter/lesson compield", {}, "It.", 3)
    derived = fragment.derive(project, "chapter/lesson", uses=[use], local=False)
    with pytest.raises(
        PageError, match=r"p\.md:3: no run .* measurement 'compield' \(name one of: .*compiled"
    ):
        shortfall.check(use, derived, path="p.md")
