"""A cited statement has its source, and says which of its backends have a run by now, and links to it."""

import gzip
import json
import re

import markdown
import pytest

from benchbook import archive
from benchbook.building import builder, fragment
from benchbook.errors import PageError
from benchbook.pages.page import load, scan
from benchbook.project import Project, find
from benchbook.rules.inventory import gather
from benchbook.rules.wording import references
from tests.factory import SNIPPET, make_run, run_tree, store_run
from tests.rendering import EXTENSIONS, Text, derive, render
from tests.test_blocks import mkdocs, on_cuda, site

TEXT = "A product has *bfloat16* inputs [there](https://docs.jax.dev/en/latest/).\n///\n"
PAGE = f"/// cited | chapter/lesson\n    backends: cuda, tpu\n{TEXT}"
SITE = PAGE.replace(" | chapter/lesson", "")
TPU = """
[tool.benchbook.backends.tpu]
platform = "tpu"
device-kind = "TPU .*"
"""


def with_tpu(project: Project) -> Project:
    """The project, which shows the backend tpu as well."""
    path = project.root / "pyproject.toml"
    path.write_text(path.read_text().replace('"cuda"]', '"cuda", "tpu"]') + TPU)
    return find(project.root)


@pytest.fixture
def three(project: Project) -> Project:
    """A project that shows cpu, cuda and tpu."""
    return with_tpu(project)


def line(html: str) -> str:
    """The words of the engine's line."""
    found = re.search(r'<div class="bb-cited">.*?<p class="bb-(?:missing|quiet)">(.*?)</p>', html, re.DOTALL)
    assert found is not None
    return re.sub(r"<[^>]+>", "", found[1])


def on_tpu() -> dict[str, object]:
    """Changes that make a run one of the TPU."""
    device = {"platform": "tpu", "kind": "TPU v9", "count": 1, "memory_bytes": None, "driver": None}
    return {"backend": "tpu", "hardware": run_tree()["hardware"] | {"device": device}}


def test_without_a_run_it_says_so_and_one_on_cpu_changes_nothing(
    three: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text is the author's, in Markdown; the line below it names the backends."""
    store_run(three)
    html = render(three, PAGE, monkeypatch)
    assert '<p>A product has <em>bfloat16</em> inputs <a href="https://docs.jax.dev/en/latest/">' in html
    assert line(html) == "Cited, not measured here: no run of this lesson on cuda or tpu yet."
    assert line(render(three, PAGE.replace(", tpu", ""), monkeypatch)).endswith("on cuda yet.")


def test_a_run_is_told_with_its_device_jax_date_and_link(
    three: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other backend is still said to be missing, until it has one too."""
    store_run(three)
    cuda = store_run(three, **on_cuda())
    html = render(three, PAGE, monkeypatch)
    said = f"A run on cuda is recorded here: NVIDIA X, JAX 0.12.0, 2026-01-02, run {cuda.id}"
    assert line(html) == f"{said}; none on tpu yet."
    assert f"/runs/chapter/lesson/index.md#run-{cuda.id}" in [a["href"] for a in Text(html).all("a")]
    tpu = store_run(three, **on_tpu())
    other = f"a run on tpu is recorded here: TPU v9, JAX 0.12.0, 2026-01-02, run {tpu.id}"
    assert line(render(three, PAGE, monkeypatch)) == f"{said}; {other}."


def test_a_retracted_run_is_none(three: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found wrong stands for nothing."""
    cuda = store_run(three, **on_cuda())
    entry = f'["{cuda.id}"]\ndate = 2026-01-03\nreason = "wrong"\n'
    (three.runs / "retracted.toml").write_text(entry)
    assert "no run of this lesson on cuda or tpu yet" in line(render(three, PAGE, monkeypatch))


def test_a_stale_run_says_so(three: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run ran other code than the lesson shows."""
    store_run(three, **on_cuda(), source_text=SNIPPET.replace("3.0", "5.0"))
    for page in (PAGE, SITE):
        assert ", stale: the lesson's code changed after this run; none on tpu yet." in line(
            render(three, page, monkeypatch)
        )


def test_a_run_that_is_not_accepted_says_so(three: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is shown by a build with the runs of this machine only, and is not said to be recorded here."""
    archive.save(make_run(**on_cuda()), three.local_runs)
    for page in (PAGE, SITE):
        assert "no run of" in line(render(three, page, monkeypatch))
        derive(three, local=True)
        said = line(markdown.markdown(page, extensions=EXTENSIONS))
        assert said.startswith("A run on cuda")
        assert "recorded here" not in said
        assert said.endswith(", recorded on this machine, not accepted; none on tpu yet.")


def test_without_a_lesson_it_looks_at_all(three: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The latest run of any lesson is told, and of how many lessons there is one."""
    other = "chapter/other"
    three.snippet_path(other).write_text(SNIPPET)

    def said() -> str:
        data = fragment.derive(three, other, uses=[], local=False)
        three.fragments.joinpath("chapter").mkdir(parents=True, exist_ok=True)
        three.fragments.joinpath(f"{other}.json").write_text(json.dumps(data))
        return render(three, SITE, monkeypatch)

    store_run(three)
    assert line(said()) == "Cited, not measured here: no run of any lesson on cuda or tpu yet."
    first = store_run(three, **on_cuda())
    assert line(said()).startswith("A run on cuda is recorded here for 1 lesson: NVIDIA X, ")
    assert f"/runs/chapter/lesson/index.md#run-{first.id}" in said()
    later = {"started": "2026-01-05T03:04:05Z", "ended": "2026-01-05T03:04:15Z"}
    second = store_run(three, slug=other, **on_cuda(), **later)
    html = said()
    latest = "A run on cuda is recorded here for 2 lessons, the latest: NVIDIA X, JAX 0.12.0, 2026-01-05, "
    assert line(html) == f"{latest}run {second.id}; none on tpu yet."
    assert f"/runs/{other}/index.md#run-{second.id}" in html


@pytest.mark.parametrize(
    ("backends", "said"),
    [
        ("cudo", "p.md:1: backends names 'cudo', which the site does not show (known: cuda, tpu, "),
        ("cuda,", "p.md:1: backends has an empty name (known: cuda, tpu, with a comma between two)"),
        ("cuda tpu", "p.md:1: backends names 'cuda tpu', which the site does not show (known: cuda, tpu, "),
        ("cuda, cuda", "p.md:1: backends names cuda twice (name it once)"),
        ("cpu, cuda", "p.md:1: backends names cpu, on which every lesson is run (known: cuda, tpu, "),
    ],
)
@pytest.mark.parametrize("page", [PAGE, SITE])
def test_a_wrong_name_is_told_by_check_and_build(
    three: Project, page: str, backends: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the page, the line and the mend, with a lesson and without one."""
    wrong = page.replace("cuda, tpu", backends)
    (three.docs / "p.md").write_text(wrong)
    (error,) = fragment.problems(three, load(three, three.docs / "p.md"))
    assert said in str(error)
    (problem,) = references(gather(three))
    assert (problem.path, problem.line) == ("docs/p.md", 1)
    with pytest.raises(PageError, match=re.escape(said.removeprefix("p.md:1: "))):
        render(three, wrong, monkeypatch)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (PAGE.replace("    backends: cuda, tpu\n", ""), "lacks backends"),
        (PAGE.replace("cuda, tpu", "[cuda, tpu]"), r"option backends: \['cuda', 'tpu'\]"),
        (PAGE.replace("cuda, tpu", '" "'), "option backends: ' '"),
        (PAGE.replace(TEXT, "///\n"), "'/// cited' has no text"),
        (PAGE.replace(TEXT, "It is so.\n///\n"), r"links to no source \(write .* \[words\]\(https://...\)\)"),
        (PAGE.replace("https://docs.jax.dev/en/latest/", "other.md"), "links to no source"),
        (PAGE.replace("[there]", "![there]"), "links to no source"),
        (PAGE.replace("[there](", "`[there](").replace("/).", "/)`."), "links to no source"),
        (PAGE.replace("chapter/lesson", "lesson"), r"write '/// cited \| chapter/lesson'"),
        (PAGE.replace("chapter/lesson", "chapter/lesson total"), r"write '/// cited \| chapter/lesson'"),
    ],
)
def test_a_wrong_form_is_refused(page: str, said: str) -> None:
    """What lacks backends, a text or a source cites nothing."""
    with pytest.raises(PageError, match=rf"p\.md:1: .*{said}"):
        scan(page, path="p.md")


@pytest.mark.parametrize(
    "link", ["<https://jax.dev/x>", "[`code`](HTTPS://jax.dev)", "[a [b] c](http://jax.dev 'title')"]
)
def test_a_source_is_any_link_to_another_site(link: str) -> None:
    """With words or code in it, or as an address."""
    (use,) = scan(PAGE.replace(TEXT, f"So it is: {link}.\n///\n"), path="p.md").uses
    assert (use.kind, use.slug) == ("cited", "chapter/lesson")


@pytest.mark.parametrize(
    "text",
    [
        "    [it](https://jax.dev/) in indented code",
        "[it\\](https://jax.dev/)",
        '<div title="[it](https://jax.dev/)">raw</div>',
    ],
)
def test_a_link_that_becomes_none_ends_the_build(
    three: Project, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks like a link in the source, and is none on the page, is no source."""
    store_run(three)
    with pytest.raises(PageError, match=r"whose link to its source is none: .* \(write \[words\]\(https://"):
        render(three, PAGE.replace(TEXT, f"\n{text}\n///\n"), monkeypatch)


def test_an_option_that_stands_there_twice_is_told() -> None:
    """YAML would take the last one in silence."""
    page = PAGE.replace("    backends: cuda, tpu\n", "    backends: cuda\n    backends: tpu\n")
    with pytest.raises(PageError, match=r"p\.md:2: the option 'backends' stands there twice \(keep one"):
        scan(page, path="p.md")


def test_a_lesson_that_is_not_there_is_told(three: Project) -> None:
    """As by every other block."""
    (three.docs / "p.md").write_text(PAGE.replace("chapter/lesson", "chapter/none"))
    (error,) = fragment.problems(three, load(three, three.docs / "p.md"))
    assert "p.md:1: chapter/none cannot be shown" in str(error)


def test_a_strict_build_has_both_forms(three: Project) -> None:
    """The links lead to the run's page, and no heavy module is loaded."""
    store_run(three)
    cuda = store_run(three, **on_cuda())
    site(three, f"# Page\n\n{PAGE}\n{SITE}")
    (three.runs / "chapter/lesson/index.md").write_text(f'# Runs\n\n<div><a id="run-{cuda.id}"></a></div>\n')
    derive(three)
    built = mkdocs(three)
    assert built.returncode == 0, built.stderr
    assert {"pydantic", "scipy", "numpy"}.isdisjoint(built.stdout.split("MODULES", 1)[1].split())
    links = [str(a.get("href")) for a in Text((three.root / "site/p/index.html").read_text()).all("a")]
    assert links.count(f"../runs/chapter/lesson/#run-{cuda.id}") == 2


def test_a_block_is_light(three: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each after the first takes at most 90 bytes beside its text, as sent, with a run and without."""

    def sent(count: int) -> int:
        return len(gzip.compress(render(three, f"{PAGE}\n" * count, monkeypatch).encode(), 6))

    assert sent(2) - sent(1) <= 90
    store_run(three, **on_cuda())
    assert sent(2) - sent(1) <= 90


def test_a_build_writes_the_same_whatever_a_page_cites(three: Project) -> None:
    """A statement asks nothing of a fragment that is not there anyway."""
    (three.docs / "p.md").write_text("---\ntitle: P\n---\n# P\n")
    builder.build(three)
    (three.docs / "p.md").write_text(f"---\ntitle: P\n---\n# P\n\n{PAGE}\n{SITE}")
    assert not builder.build(three).written
