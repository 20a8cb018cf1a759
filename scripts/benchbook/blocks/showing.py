"""A showing: what one block puts on the page for each run, and the lines that say where it comes from."""

from collections.abc import Callable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from markdown import Markdown

from benchbook.blocks import catalogue, document
from benchbook.blocks.catalogue import Exhibit, Fragment
from benchbook.blocks.elements import add
from benchbook.blocks.tabs import tabs
from benchbook.pages.use import Use
from benchbook.reading import counted, listed

FIRST = {"output": "output", "artefact": "file"}  # what is kept of one process only


@dataclass(frozen=True, slots=True)
class Showing:
    """A use, what was derived for it, and the document that it stands in.

    Attributes:
        use: What the page asks for.
        fragment: What was derived for the lesson.
        md: The document being made.
        number: Gives a number that is unique on the page.
    """

    use: Use
    fragment: Fragment
    md: Markdown
    number: Callable[[], int]

    def to(self, target: str) -> str:
        """A link to a file below ``docs``."""
        return document.link(self.md, target)

    def link(self, exhibit: Exhibit, measurement: str = "") -> str:
        """Where the run's own page shows it."""
        suffix = f"-{measurement}" if measurement else ""
        slug = exhibit.get("slug") or self.fragment["slug"]  # a whole site's fragment has runs of several
        return self.to(f"runs/{slug}/index.md#run-{exhibit['id']}{suffix}")

    def each(self, parent: Element, draw: Callable[["Showing", Element, Exhibit], None]) -> None:
        """Draws for each run that the block shows, in tabs by backend where there are several."""
        exhibits = catalogue.shown(self.fragment, self.use.run)
        labels = [exhibit["backend"] for exhibit in exhibits]
        places = tabs(parent, labels, number=self.number()) if len(labels) > 1 else [parent] * len(labels)
        for place, exhibit in zip(places, exhibits, strict=True):
            draw(self, place, exhibit)
            self.provenance(place, exhibit)
        if not exhibits:
            names = listed(catalogue.missing(self.fragment), "or")
            other = "file stands" if self.use.kind == "artefact" else "numbers stand"
            add(parent, "p", "bb-missing", f"No run on {names} yet; no other {other} in.")

    def provenance(self, parent: Element, exhibit: Exhibit) -> None:
        """Backend, device, JAX, date, processes, the run; for measurements whether they are stable."""
        line = add(parent, "p", "bb-provenance", data_run=exhibit["id"], data_backend=exhibit["backend"])
        add(line, "span", "bb-backend", exhibit["backend"], data_backend=exhibit["backend"])
        add(line, "span", text=f" · {exhibit['device']} · JAX {exhibit['jax']} · ")
        add(line, "time", text=exhibit["date"], datetime=exhibit["date"])
        count = exhibit["processes"]
        first = f", {FIRST[self.use.kind]} of the first" if self.use.kind in FIRST and count > 1 else ""
        add(line, "span", text=f" · {counted(count, 'process')}{first} · run ")
        add(line, "a", text=exhibit["id"], href=self.link(exhibit))
        if self.use.kind == "measurements":
            add(line, "span", text=f" · {_stability(exhibit)}")
        if not exhibit["accepted"]:
            add(line, "strong", "bb-local", " · recorded on this machine, not accepted")
        missing = catalogue.missing(self.fragment)
        # The output of one cell leaves it to the whole transcript.
        is_of_one_cell = self.use.kind == "output" and bool(self.use.name)
        if missing and self.use.run is None and not is_of_one_cell:
            add(line, "span", "bb-missing", f" · no run on {listed(missing, 'or')} yet")

    def notice(self, parent: Element, exhibit: Exhibit) -> None:
        """Says that the code changed after the run, where it did."""
        cell = self.use.name if self.use.kind in ("output", "figure") else ""
        if catalogue.stale(exhibit, cell):
            what = "this cell, or one before it," if cell else "the lesson's code"
            add(parent, "p", "bb-notice", f"Stale: {what} changed after this run was recorded.")


def _stability(exhibit: Exhibit) -> str:
    verdicts = [row["stable"] for row in exhibit["rows"]]
    if None in verdicts:
        return "stability unknown with one process"
    return f"{verdicts.count(True)} of {len(verdicts)} stable"
