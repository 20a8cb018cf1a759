"""The audit says what falls short and what it could not look at; no tool of others is needed to see that."""

import gzip
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from audit import dictionary, finding, lighthouse, markup, server, tool
from audit.__main__ import main
from audit.finding import Finding

HOLDS = Finding("pages", "0 errors", "0 errors", True)
SHORT = Finding("a lesson", "0.90", "at least 0.95", False, ("too much script", "too many images"))
MISSED = finding.not_run("markup", "java is not installed")


def test_the_table_has_a_row_for_each_finding():
    """Columns stand below each other, and what falls short is listed below its row."""
    assert finding.table([HOLDS, SHORT, MISSED]).splitlines() == [
        "what      found                  wanted         verdict",
        "pages     0 errors               0 errors       holds",
        "a lesson  0.90                   at least 0.95  falls short",
        "    too much script",
        "    too many images",
        "markup    java is not installed                 not run",
    ]


@pytest.mark.parametrize(
    ("findings", "lenient", "strict"),
    [([HOLDS], 0, 0), ([HOLDS, MISSED], 0, 1), ([HOLDS, SHORT], 1, 1), ([], 0, 0)],
)
def test_a_missing_tool_fails_only_where_it_must(findings: list[Finding], lenient: int, strict: int):
    """What falls short fails everywhere; what was not run fails in CI, so that no check is lost unseen."""
    assert finding.status(findings, strict=False) == lenient
    assert finding.status(findings, strict=True) == strict


@pytest.mark.parametrize("audit", [lighthouse.findings, markup.findings, dictionary.findings])
def test_without_node_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, audit: Any):
    """Each audit that needs Node.js gives one finding: not run, and why."""
    monkeypatch.setenv("PATH", str(tmp_path))
    (found,) = audit(tmp_path)
    assert (found.found, found.verdict) == ("node is not installed", "not run")


def test_a_program_that_does_not_start_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """MacOS has a java that only says where one could be had."""
    (tmp_path / "java").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "java").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(tool.MissingError, match="java does not start"):
        tool.program("java", "-version")


def test_a_package_is_got_once_at_its_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Npm is asked for one exact version, and not again once that is there."""
    asked = tmp_path / "asked"
    npm = f"""#!/bin/sh
case "$1" in --version) exit 0;; esac
echo "$@" >> {asked}
mkdir -p "$3/node_modules/vnu-jar" && echo '{{"version": "1.2.3"}}' > "$3/node_modules/vnu-jar/package.json"
"""
    for name, text in (("npm", npm), ("node", "#!/bin/sh\n")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(tool, "ROOT", tmp_path)
    monkeypatch.setattr(tool, "KEPT", tmp_path / "kept")
    for _ in range(2):
        assert tool.package("vnu-jar", "1.2.3") == tmp_path / "kept/vnu-jar-1.2.3/node_modules/vnu-jar"
    (line,) = asked.read_text().splitlines()
    assert line.endswith(" vnu-jar@1.2.3")
    with pytest.raises(tool.MissingError, match="could not get vnu-jar 2"):
        tool.package("vnu-jar", "2")


def _get(url: str, path: str) -> tuple[int, str | None, bytes]:
    """Status, encoding and body of an answer."""
    connection = HTTPConnection(url.removeprefix("http://"))
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.status, answer.headers["Content-Encoding"], answer.read()
    connection.close()
    return found


def test_the_server_packs_text_as_a_host_does(tmp_path: Path):
    """Text comes packed and pictures as they are; a folder gives its page, and the missing is missing."""
    (tmp_path / "jit").mkdir()
    (tmp_path / "jit" / "index.html").write_text("<p>Jit</p>" * 99)
    (tmp_path / "mark.png").write_bytes(b"\x89PNG" * 99)
    with server.served(tmp_path) as url:
        status, encoding, body = _get(url, "/jit/?q=1")
        assert (status, encoding, gzip.decompress(body)) == (200, "gzip", b"<p>Jit</p>" * 99)
        assert _get(url, "/mark.png") == (200, None, b"\x89PNG" * 99)
        assert _get(url, "/gone/")[0] == 404


@pytest.mark.parametrize(
    ("message", "extract", "owner"),
    [
        ("Attribute “autocomplete” is only allowed", '<input class="md-toggle">', "Material's switches"),
        ("Attribute “autocomplete” is only allowed", '<input class="bb-field">', None),
        ("Duplicate ID “a”.", '<input class="md-toggle">', None),
    ],
)
def test_only_listed_errors_are_of_others(message: str, extract: str, owner: str | None):
    """An error is the theme's when its words and its element are; any other is ours."""
    found = markup.whose({"message": message, "extract": extract})
    assert (found is None) == (owner is None)
    assert (found or "").startswith(owner or "")


def test_each_word_of_the_list_is_needed():
    """The words beside the dictionary are sorted, and each stands in a page or in README or CONTRIBUTING."""
    words = dictionary.SETTINGS.with_name("words.txt").read_text().split()
    assert words == sorted(set(words))
    prose = " ".join((tool.ROOT / name).read_text() for name in dictionary.prose()).lower()
    assert [word for word in words if word not in prose] == []


def test_an_unknown_audit_is_named():
    """A wrong name says which there are, and nothing is run."""
    with pytest.raises(SystemExit, match="no audit is named 'speed'; choose from browser, lighthouse"):
        main(["speed"])
