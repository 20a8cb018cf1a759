"""A specimen: one recorded number, set large, with everything named that it rests on."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from pymdownx.blocks.block import type_string

from benchbook import reading
from benchbook.blocks import catalogue, ruler
from benchbook.blocks.catalogue import Exhibit
from benchbook.blocks.elements import add
from benchbook.blocks.showing import Showing
from benchbook.blocks.shown import Shown


class Specimen(Shown):
    """``/// specimen | slug measurement``: a measurement and its parts; its text says what was called."""

    NAME = "specimen"
    OPTIONS = {"run": ("", type_string)}  # noqa: RUF012 - pymdownx's own form

    def on_create(self, parent: Element) -> Element:
        """Appends the number and its parts, of the run asked for or of the first current one."""
        shown = self.showing()
        element = add(parent, "div", "bb-specimen")
        exhibits = catalogue.shown(shown.fragment, shown.use.run)
        if exhibits:
            shown.notice(element, exhibits[0])
            _number(shown, element, exhibits[0])
            self.called = _parts(shown, element, exhibits[0])
        else:
            add(element, "p", "bb-missing", "No run holds this number yet.")
            self.called = add(element, "div")
        return element

    def on_add(self, block: Element) -> Element:
        """The part that says what was called takes the text."""
        return self.called


def _number(showing: Showing, parent: Element, exhibit: Exhibit) -> None:
    name = showing.use.name
    statistics, unit = exhibit["statistics"][name], exhibit["units"][name]
    place = add(parent, "div", "bb-reading")
    median = reading.text(statistics["median"], unit)
    add(add(place, "p", "bb-quantity"), "a", text=median, href=showing.link(exhibit, name))
    medians = next(row["medians"] for row in exhibit["rows"] if row["name"] == name)
    ruler.draw(place, medians, statistics, unit=unit)


def _parts(showing: Showing, parent: Element, exhibit: Exhibit) -> Element:
    """All parts; the first of them, which is still empty, is returned."""
    parts = add(parent, "dl", "bb-parts")
    called = _part(parts, "What was called")
    for term, text in _facts(showing.use.name, exhibit):
        add(_part(parts, term), "span", text=text)
    device = _part(parts, "Device")
    add(device, "span", "bb-backend", exhibit["backend"], data_backend=exhibit["backend"])
    add(device, "span", text=f", {exhibit['device']}")
    add(_part(parts, "JAX"), "span", text=exhibit["jax"])
    recorded = _part(parts, "Recorded")
    add(recorded, "time", text=exhibit["date"], datetime=exhibit["date"])
    add(recorded, "span", text=", run ")
    add(recorded, "a", text=exhibit["id"], href=showing.link(exhibit))
    return called


def _part(parent: Element, term: str) -> Element:
    group = add(parent, "div")
    add(group, "dt", text=term)
    return add(group, "dd")


def _facts(name: str, exhibit: Exhibit) -> Iterator[tuple[str, str]]:
    row = next(row for row in exhibit["rows"] if row["name"] == name)
    yield "Dtype and shapes", row["inputs"] or "no inputs"
    calls = reading.counted(int(row["calls"].split()[0]), "call")
    processes = reading.counted(exhibit["processes"], "process")
    warmup = reading.counted(int(row["warmup"]), "call")
    yield "Method", f"{calls} in each of {processes}, {warmup} before them to warm up; waits: {row['wait']}"
    yield "Left out", row["excludes"]
    low, high = (exhibit["statistics"][name][end] for end in ("low", "high"))
    ends = [] if low is None else [reading.text(end, exhibit["units"][name]) for end in (low, high)]
    yield "95% interval", " to ".join(ends) or "none: one process"
    yield "Verdict", f"{row['verdict']}: {row['rule']}"
