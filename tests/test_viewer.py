"""A run page says how to open each file that a run left behind, by the end of its name."""

import html
import re

import pytest

from benchbook.building import viewer


def said(name: str) -> str:
    """The steps as text."""
    return html.unescape(re.sub(r"<[^>]+>", "", viewer.steps(name)))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("host.trace.json.gz", "ui.perfetto.dev"),
        ("trace.json.gz", "ui.perfetto.dev"),
        ("cpu.xplane.pb", "LOGDIR/plugins/profile/NAME/"),
        ("cpu.xplane.pb", "xprof LOGDIR"),
        ("memory.pb.gz", "pprof -top memory.pb.gz"),
        ("memory.prof", "pprof -top memory.prof reads it as it is."),
        ("host.trace.json", "pick host.trace.json as it is."),
        ("cpu.xplane.pb.gz", "Unpack it with gunzip cpu.xplane.pb.gz. Put cpu.xplane.pb into LOGDIR/"),
    ],
)
def test_a_file_is_opened_by_what_reads_its_kind(name: str, words: str) -> None:
    """The steps name the viewer, and the file where a command takes it."""
    assert words in said(name)
    assert name in said(name)


@pytest.mark.parametrize("name", ["notes.txt", "model.pb", "json.gz.bin", "data.npy", "results.json.gz"])
def test_no_viewer_is_made_up(name: str) -> None:
    """A file of another kind is one for its own reader."""
    assert said(name) == "It is a file for its own reader."


def test_steps_are_inert() -> None:
    """No character of them can be taken for Markdown or for markup; commands are code."""
    steps = viewer.steps("memory.pb.gz")
    assert not re.search(r">[^<]*[`*_\[\]\\$~|^{}!:][^<]*<", steps)
    assert "<code>pprof" in steps
