"""Citations: what they say, that LaTeX can read them, and which run a word means."""

import re

import pytest

from benchbook import archive, cite
from benchbook.building import builder
from benchbook.building.site import BuildError
from benchbook.errors import RunError, UsageError
from tests.factory import make_run, run_tree, store_run

URL = "https://example.org/jax/"


def hardware(model: str) -> dict:
    """The factory's hardware with another processor."""
    found = run_tree()["hardware"]
    return found | {"cpu": found["cpu"] | {"model": model}}


def test_text_says_what_where_when_and_how_to_check(project):
    """The line names lesson, backend, machine, JAX, date, run, address and digest."""
    stored = store_run(project)
    assert cite.text(stored, URL) == (
        f"JAX, measured: chapter/lesson on cpu (A CPU, JAX 0.12.0), recorded 2026-01-02, run {stored.id}. "
        f"https://example.org/jax/runs/chapter/lesson/#run-{stored.id}. sha256:{stored.digest}"
    )


def test_without_an_address_the_path_stands_and_says_so(project):
    """A site without an address gives the path; no citation holds a remark about that."""
    stored = store_run(project)
    assert cite.permalink(stored, "") == f"runs/chapter/lesson/#run-{stored.id}"
    assert f" runs/chapter/lesson/#run-{stored.id}. " in cite.text(stored, "")
    assert rf"howpublished = {{runs/chapter/lesson/\#run-{stored.id}}}," in cite.bibtex(stored, "")
    assert r"\url" not in cite.bibtex(stored, "")


def test_bibtex_is_one_entry_under_the_runs_key(project):
    """The entry has its key, its fields, and braces that close."""
    stored = store_run(project)
    entry = cite.bibtex(stored, URL)
    assert entry.startswith(f"@misc{{jaxmeasured-{stored.id},\n")
    fields = re.findall(r"^  (\w+) = ", entry, re.MULTILINE)
    assert fields == ["author", "title", "year", "month", "howpublished", "note"]
    assert "year = {2026}" in entry
    assert "month = jan" in entry
    assert rf"\url{{https://example.org/jax/runs/chapter/lesson/#run-{stored.id}}}" in entry
    assert f"sha256:{stored.digest}" in entry
    assert entry.count("{") == entry.count("}")


def test_latex_sees_no_command_in_recorded_text(project):
    """Every LaTeX special of a machine's name is escaped, in one pass."""
    stored = store_run(
        project, hardware=hardware("A&B 100% $5 #1 _x {y} ~z ^w \\input{/etc/passwd}\nnext\x1b")
    )
    note = next(line for line in cite.bibtex(stored, URL).splitlines() if line.startswith("  note"))
    assert r"A\&B 100\% \$5 \#1 \_x \{y\} \textasciitilde{}z \textasciicircum{}w" in note
    assert r"\textbackslash{}input\{/etc/passwd\} next" in note
    assert re.sub(r"\\[&%$#_{}]|\\text[a-z]+\{\}", "", note).count("\\") == 0
    assert "\n" not in cite.text(stored, URL)
    assert "\x1b" not in cite.text(stored, URL)


def test_an_accelerator_is_named_instead_of_its_host(project):
    """On a GPU the device's kind stands where the processor stands on CPU."""
    found = run_tree()["hardware"]
    device = {"platform": "gpu", "kind": "A GPU", "count": 2, "memory_bytes": None, "driver": None}
    stored = store_run(project, backend="cuda", hardware=found | {"device": device})
    assert "on cuda (A GPU, 2 devices, JAX 0.12.0)" in cite.text(stored, URL)


@pytest.mark.parametrize(
    ("settings", "environment", "expected"),
    [
        ('site_url: !ENV [SITE_URL, ""]\n', None, ""),
        ('site_url: !ENV [SITE_URL, ""]\n', "https://example.org/jax", URL),
        ("site_url: https://example.org/jax/\n", None, URL),
        ("site_name: x\n", None, ""),
        ("", None, ""),
        (
            "a: !!python/name:os.system ''\nb: !!python/object/apply:os.abort []\nsite_url: https://example.org/jax\n",
            None,
            URL,
        ),
    ],
)
def test_site_url_is_what_mkdocs_reads(project, monkeypatch, settings, environment, expected):
    """The address comes from mkdocs.yml and SITE_URL; its Python tags run nothing."""
    monkeypatch.delenv("SITE_URL", raising=False)
    if environment:
        monkeypatch.setenv("SITE_URL", environment)
    (project.root / "mkdocs.yml").write_text(settings)
    assert cite.site_url(project) == expected


@pytest.mark.parametrize(
    "address",
    [
        *("example.org", "//example.org/", " ", "https://example.org/a b", " https://example.org"),
        *("https://example.org/#f", "https://example.org/x?y=1", "javascript:alert(1)", "https:///x"),
        *(
            "https://example.org/\nDisallow: /",
            "https://example.org\n",
            "HTTPS://example.org/",
            "ftp://a.org/",
        ),
        *(
            "https://u:p@example.org/",
            "https://example.org/../x",
            "https://example.org/%2",
            "https://ex_a.org)/",
        ),
        *(
            "https://example.org/a(b)",
            "https://example.org/<b>",
            "https://b\u00fccher.example/",
            "https://a.org:x/",
        ),
    ],
)
def test_an_address_that_is_none_is_refused(project, monkeypatch, address):
    """One line names the setting and the variable and says how to write it, before anything is derived."""
    (project.root / "mkdocs.yml").write_text('site_url: !ENV [SITE_URL, ""]\n')
    monkeypatch.setenv("SITE_URL", address)
    with pytest.raises(
        UsageError, match=r"^mkdocs.yml: site_url, which SITE_URL may set, is .* \(write it as"
    ):
        cite.site_url(project)
    with pytest.raises(BuildError, match="SITE_URL"):
        builder.build(project)
    assert not (project.docs / "robots.txt").exists()


@pytest.mark.parametrize(
    "address",
    [
        *(
            "http://localhost:8000/",
            "http://[::1]:8000/",
            "https://xn--bcher-kva.example/",
            "https://Example.org/",
        ),
        *("https://example.org/a%20b/~me/v1.2/", "http://127.0.0.1:5/x/"),
    ],
)
def test_an_address_may_be_of_any_host(project, address):
    """A name, a number, a port, a path."""
    (project.root / "mkdocs.yml").write_text(f"site_url: {address}\n")
    assert cite.site_url(project) == address


def test_site_url_of_a_project_without_site_is_empty(project):
    """No mkdocs.yml means no address."""
    assert cite.site_url(project) == ""


def test_broken_settings_name_their_file(project):
    """A mkdocs.yml that is no YAML is a UsageError with the file."""
    (project.root / "mkdocs.yml").write_text("a: [")
    with pytest.raises(UsageError, match=r"^mkdocs.yml:1: not valid YAML"):
        cite.site_url(project)


def test_find_takes_ids_digests_names_and_paths(project):
    """Six digits or more, the digest, the file's name and a path all mean the same run."""
    stored = store_run(project)
    store_run(project, started="2026-02-02T00:00:00Z")
    for word in (
        stored.id,
        stored.id[:6],
        stored.digest,
        stored.path.name,
        f"docs/runs/x/{stored.path.name}",
    ):
        assert cite.find(project, word) == stored


def test_find_prefers_the_accepted_file(project):
    """A run that is both local and accepted is the accepted one; one that is only local is found too."""
    stored = store_run(project)
    archive.save(stored.run, project.local_runs)
    local = archive.save(make_run(started="2026-02-02T00:00:00Z"), project.local_runs)
    assert cite.find(project, stored.id).path == stored.path
    assert cite.find(project, local.id).path == local.path


@pytest.mark.parametrize("word", ["abc", "000000", "x.json", "", "../../etc/passwd"])
def test_find_says_when_there_is_none(project, word):
    """A word that means no run is wrong use."""
    store_run(project)
    with pytest.raises(UsageError, match="no run is"):
        cite.find(project, word)


def test_find_refuses_a_digest_that_ends_differently(project):
    """Twelve right digits do not make a wrong digest right."""
    stored = store_run(project)
    wrong = stored.digest[:-1] + ("0" if stored.digest[-1] != "0" else "1")
    with pytest.raises(UsageError, match="ends differently"):
        cite.find(project, wrong)


def test_find_refuses_what_may_be_two_runs(project):
    """Where digits fit two files, both are named."""
    first, second = store_run(project).path, store_run(project, started="2026-02-02T00:00:00Z").path
    alike = first.with_name(re.sub(r"-[0-9a-f]{12}\.json$", "-aaaaaa000000.json", first.name))
    alike.write_bytes(first.read_bytes())
    second.rename(alike.with_name(alike.name.replace("000000", "111111")))
    with pytest.raises(UsageError, match=r"aaaaaa000000.json or .*aaaaaa111111.json"):
        cite.find(project, "aaaaaa")
    with pytest.raises(RunError, match="the file was changed"):
        cite.find(project, "aaaaaa000000")
