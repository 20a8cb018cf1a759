"""Three builders, one page: what MkDocs shows of a run, ProperDocs and Zensical show too, word for word.

They fail in silence: a block that one of them does not know is left as text, or left out.
"""

import shutil
from collections import defaultdict
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.etree.ElementTree import Element

import pytest

from tests.built import PROJECT, file, run_tool, text, tree

COPIED = ("docs", "snippets", "scripts/theme", ".benchbook/fragments", "mkdocs.yml", "pyproject.toml")
OURS = ("bb-", "run-")
# What the page of a lesson cannot do without. Where any is missing, equal means equally nothing.
NEEDED = {
    "img", "bb-listing", "bb-stdout", "bb-figure", "bb-data", "bb-measurements", "bb-claim", "bb-value",
    "bb-provenance", "bb-predict", "bb-answer", "bb-hint", "bb-solution", "bb-question", "bb-judgement",
}  # fmt: skip
PAGES = [address for slug in PROJECT.slugs() for address in (f"/{slug}/", f"/runs/{slug}/")]


@pytest.fixture(scope="module", params=["properdocs", "zensical"])
def other(request: pytest.FixtureRequest, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as another builder makes it, from the same mkdocs.yml and the same fragments.

    Zensical writes only below its project, so it gets a copy. It knows no mkdocs-jupyter and leaves the
    notebooks' pages out; no page of ours shows less for it.
    """
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "properdocs":
        run_tool("properdocs", "build", "--strict", "--quiet", "--site-dir", str(folder))
        return folder
    for name in COPIED:
        copy = shutil.copytree if (PROJECT.root / name).is_dir() else shutil.copy
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copy(PROJECT.root / name, folder / name)
    run_tool("zensical", "build", "--strict", folder=folder)
    return folder / "site"


def _article(site: Path, address: str) -> Element:
    return next(tree(file(site, address).read_text()).iter("article"))


def _parts(article: Element) -> dict[str, list[str]]:
    """The text of each part of ours by its class, and the source of each image, in the page's order."""
    found = defaultdict(list)
    for node in article.iter():
        if node.tag == "img":
            found["img"].append(node.get("src", ""))
        for kind in node.get("class", "").split():
            if kind.startswith(OURS):
                found[kind].append(text(node))
    return dict(found)


def test_every_part_of_a_run_is_shown_alike(
    site: Path, other: Path, addresses: list[str], subtests: pytest.Subtests
):
    """Outputs, values, tables, figures, claims, folds: each is on its page, as often, with the same text."""
    pages = [address for address in addresses if not address.startswith("/notebooks/")]
    assert set(PAGES) <= set(pages)
    for address in pages:
        with subtests.test(page=address):
            expected, actual = _parts(_article(site, address)), _parts(_article(other, address))
            assert sorted(expected) == sorted(actual)
            for kind, shown in expected.items():
                assert shown == actual[kind], kind


@pytest.mark.parametrize("slug", PROJECT.slugs())
def test_a_lesson_has_parts_to_compare(site: Path, slug: str):
    """A lesson shows at least one part of each kind, and not one of them is empty."""
    parts = _parts(_article(site, f"/{slug}/"))
    assert NEEDED - set(parts) == set()
    assert [kind for kind in NEEDED if not all(parts[kind])] == []


@pytest.mark.parametrize("address", PAGES)
def test_figures_and_links_lead_somewhere(other: Path, address: str):
    """Each image, and each link that stays on the site, is a file that the other builder wrote."""
    found = [
        node.get("src") or node.get("href", "")
        for node in _article(other, address).iter()
        if node.tag in {"img", "a"}
    ]
    targets = {urlsplit(urljoin(f"https://site.invalid{address}", link)) for link in found}
    local = {target.path for target in targets if target.netloc == "site.invalid"}
    assert len(local) > 3
    assert [path for path in sorted(local) if not file(other, path).is_file()] == []
