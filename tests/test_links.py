"""Whatever a built site links to is there; what is not is named with its file, its line and the mend."""

import json
from pathlib import Path

import pytest

from benchbook.project import Project
from benchbook.rules import inventory
from benchbook.rules.links import links_lead_somewhere
from benchbook.rules.problem import Problem

PAGE = """\
<html><head><link href="../style.css"></head>
<body id="top"><a href="..">home</a> <a href="#top">top</a> <a href="../#it%27s">it</a>
<img src="../bar.light.svg#only-light" srcset="../bar.light.svg 1x, ../bar.dark.svg 2x">
<a href="https://docs.jax.dev/en/latest/#x">JAX</a> <a href="mailto:a@example.org">write</a>
<a href="http://localhost:6006/">trace</a> <a href="http://[::1]:6006/">trace</a> <a href="tel:+1">call</a>
<a href="https://b\u00fccher.example/">B</a> <a href="../#old:~:text=it">words</a>
<a href="/jit/?q=a">itself</a> <a href="/">home</a> <img src="data:,"> <a href="index.html#top">top</a>
</body></html>
"""
HOME = """<h2 id="it's">It</h2><a name=old></a><a id=new name=new></a><a name=first></a>
<a href='.'>home</a><a href='jit/'>jit</a><script src='a.js'>"""
SCRIPT = """\
import {
  b,
} from "./js/b.js";
import "./js/b.js";
if (b) import("./js/b.js");
import x from "x";
"""
FILES = {
    "index.html": HOME,
    "jit/index.html": PAGE,
    "404.html": "<a href='/.'>home</a>",
    "a.js": SCRIPT,
    "js/b.js": "export const b = 1; import'../a.js'",
    "bar.light.svg": "<svg/>",
    "bar.dark.svg": "<svg/>",
    "style.css": "a { background: url(bar.dark.svg) } b { background: url('data:image/svg+xml,<a href=x>') }",
    "llms.txt": "# Site\n\n- [Jit](jit/): compile\n",
    "robots.txt": "User-agent: *\n",
    "runs/jit/compile/cpu-jax-1.0-0123456789ab/hlo.txt": "f32[2](nowhere) ",  # recorded, and no link
    "search/search_index.json": json.dumps({"docs": [{"location": ""}, {"location": "jit/#top"}]}),
}


@pytest.fixture
def built(project: Project) -> Path:
    """A small site in which every link leads somewhere."""
    folder = project.root / "site"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def _problems(project: Project, built: Path | None) -> list[Problem]:
    return list(links_lead_somewhere(inventory.gather(project, built=built)))


def test_a_site_whose_links_lead_somewhere_has_no_problem(project: Project, built: Path):
    """Pages, places, figures for one scheme, styles, other hosts, queries: each as browsers resolve it."""
    assert _problems(project, built) == []
    assert _problems(project, None) == []


PLANTED = """
2 jit/index.html: "#top" | "#Top" | links to '#Top', which is a page without that place
2 jit/index.html: "../#it | "../#its | links to '../#its%27s', which is a page without that place
2 jit/index.html: ".." | "../Jit/" | links to '../Jit/', which is not there
2 jit/index.html: ".." | "../../jit/" | links to '../../jit/', which leads out of the site
3 jit/index.html: bar.dark.svg 2x | bar.svg 2x | links to '../bar.svg', which is not there
3 jit/index.html: <img | <p id="top"><img | has the id 'top' again
4 jit/index.html: docs.jax.dev | docs jax | which is no address
4 jit/index.html: https://docs | http:/docs | which is no address
4 jit/index.html: mailto:a@ | javascript:a | which is no address
2 index.html: 'jit/' | 'jit' | links to 'jit', which lacks the slash at the end of a folder
2 index.html: 'jit/' | 'search/' | links to 'search/', which is a folder without a page
2 index.html: a.js | b.js | links to 'b.js', which is not there
1 index.html: name=first | name=it's | has the id "it's" again
3 a.js: js/b.js | js/c.js | links to './js/c.js', which is not there
4 a.js: import "./js/b.js" | import "./b.js" | links to './b.js', which is not there
5 a.js: import("./js/b.js") | import("./js/") | links to './js/', which is a folder without a page
1 js/b.js: ../a.js | ../../a.js | links to '../../a.js', which leads out of the site
5 jit/index.html: localhost | localhots | which is no address
1 404.html: /. | /gone/ | links to '/gone/', which is not there
1 style.css: bar.dark | bar | links to 'bar.svg', which is not there
3 llms.txt: (jit/) | (jitt/) | links to 'jitt/', which is not there
1 search/search_index.json: #top | #tip | links to '../jit/#tip', which is a page without that place
"""


@pytest.mark.parametrize("mistake", PLANTED.strip().splitlines())
def test_what_leads_nowhere_is_named(project: Project, built: Path, mistake: str):
    """One wrong link gives one problem, at its line; names are told apart by their case on any disk."""
    place, _, change = mistake.partition(": ")
    line, name = place.split()
    old, new, said = change.split(" | ")
    text = (built / name).read_text()
    assert old in text
    (built / name).write_text(text.replace(old, new, 1))
    (problem,) = _problems(project, built)
    assert (problem.path, problem.line) == (f"site/{name}", int(line))
    assert said in problem.message


def test_a_site_with_an_address_is_looked_up_below_it(project: Project, built: Path):
    """Links that start at the host's root, and whole addresses of the site, are followed too."""
    (project.root / "mkdocs.yml").write_text("site_url: https://me.github.io/measured\n")
    home = "https://me.github.io/measured/"
    (built / "404.html").write_text(f'<a href="/measured/jit/">jit</a> <a href="{home}jit/#top">jit</a>')
    (built / "sitemap.xml").write_text(f"<urlset>\n<loc>{home}jit/</loc>\n<loc>{home}jat/</loc></urlset>")
    (built / "jit/index.html").write_text('<p id="top"><a href="/jit/">jit</a>')
    assert [(problem.path, problem.message) for problem in _problems(project, built)] == [
        ("site/jit/index.html", "links to '/jit/', which leads out of the site"),
        ("site/sitemap.xml", f"links to '{home}jat/', which is not there"),
    ]


def test_an_address_that_is_none_is_one_problem(project: Project, built: Path):
    """The setting is named once, and not every link that could be looked up below it."""
    (project.root / "mkdocs.yml").write_text("site_url: HTTPS://me.github.io/measured\n")
    (problem,) = _problems(project, built)
    assert (problem.path, problem.line) == ("mkdocs.yml", None)
    assert "site_url" in problem.message
