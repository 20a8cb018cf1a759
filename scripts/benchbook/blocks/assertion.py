"""Assertions: what the runs say to a claim, and what stands behind a value in a sentence."""

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from benchbook.blocks import catalogue
from benchbook.blocks.catalogue import Exhibit
from benchbook.blocks.elements import add
from benchbook.blocks.showing import Showing
from benchbook.reading import counted, interval


def claim(showing: Showing, parent: Element) -> None:
    """What each run says to a claim, one line a run."""
    text = showing.use.options["holds"]
    exhibits = catalogue.shown(showing.fragment, showing.use.run)
    place = add(parent, "ul", "bb-verdicts")
    for exhibit in exhibits:
        _verdict(showing, add(place, "li"), exhibit, text)
    if not exhibits:
        parent.remove(place)
        add(parent, "p", "bb-missing", "No run decides this yet.")


def _verdict(showing: Showing, item: Element, exhibit: Exhibit, text: str) -> None:
    decided = showing.fragment["claims"][text][exhibit["id"]]
    verdict = decided.get("verdict", "not decided")
    add(item, "strong", f"bb-verdict bb-{verdict.replace(' ', '-')}", verdict).tail = ": "
    add(item, "code", text=text)
    add(item, "span", text=f" · {_grounds(decided, exhibit, text)} · run ")
    add(item, "a", text=exhibit["id"], href=showing.link(exhibit))
    if exhibit["stale"]:
        add(item, "span", "bb-stale", " · stale: the lesson's code changed after this run")


def _grounds(decided: Mapping[str, Any], exhibit: Exhibit, text: str) -> str:
    scope = [exhibit["backend"], f"JAX {exhibit['jax']}"]
    if "error" in decided:
        return " · ".join([decided["error"], *scope])
    if decided["ratio"] is None:
        return " · ".join(scope)
    names = catalogue.mentioned(text, exhibit)
    inputs = sorted({row["inputs"] for row in exhibit["rows"] if row["name"] in names and row["inputs"]})
    estimate, low, high = decided["ratio"]
    ratio = f"left/right {interval(estimate, low, high)}" + (" (95% interval)" if low is not None else "")
    return " · ".join([ratio, counted(exhibit["processes"], "process"), *inputs, *scope])


def value(showing: Showing) -> tuple[str, str, bool]:
    """Where a value leads to, and what it is, in words.

    Returns:
        The link, the title, and whether it rests on a measurement that is not stable.
    """
    use = showing.use
    exhibit = catalogue.shown(showing.fragment, use.run)[0]
    names = catalogue.mentioned(use.name, exhibit)
    rows = [row for row in exhibit["rows"] if row["name"] in names]
    methods = [f"{row['name']}: {row['inputs'] or 'no inputs'}; wait {row['wait']}" for row in rows]
    methods = [
        f"{text}; calls \u00d7 processes {row['calls']}" for text, row in zip(methods, rows, strict=True)
    ]
    facts = [use.name, *methods, f"{exhibit['backend']}, JAX {exhibit['jax']}, run {exhibit['id']}"]
    if exhibit["stale"]:
        facts.append("stale: the lesson's code changed after this run")
    link = showing.link(exhibit, names[0] if len(names) == 1 else "")
    return link, "; ".join(facts), any(row["stable"] is False for row in rows)
