"""The anatomy of a lesson: what every page has, in which order. It reads Markdown and knows no lesson."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import yaml

# Second-level headings, in order; a heading may be worded to fit as long as it matches.
PARTS = {
    "outcomes": r"able to do|outcomes",
    "problem": r"\bproblem\b",
    "idea": r"\bidea\b",
    "values": r"values? before tim",
    "steps": r"step by step",
    "figure": r"\bfigure\b",
    "run": r"recorded run",
    "experiments": r"\bexperiments\b",
    "exercises": r"\bexercises\b",
    "questions": r"check your understanding",
    "diagnose": r"\bdiagnose\b",
    "carry": r"carry forward",
    "evidence": r"\bevidence\b",
    "references": r"\breferences\b",
}
FRONT_KEYS = {"title", "chapter", "order", "minutes"}
FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
FENCED = re.compile(r"^ *(`{3,})[^\n]*\n.*?^ *\1 *$", re.DOTALL | re.MULTILINE)
ITEM = re.compile(r"^(?:-|\d+\.) +\S", re.MULTILINE)
ROW = re.compile(r"^\|(?! *-)[^|\n]+\|[^|\n]+\|[^\n]+\|$", re.MULTILINE)
LINK = re.compile(r"\]\(https://[^)]+\)")
FOLDED = re.compile(
    r"^ +/{3,} details \|[^\n]*\n(?: {8}[^\n]*\n)*(?P<text>.*?)^ +/{3,} *$", re.DOTALL | re.MULTILINE
)
LEVELS = ("foundation", "practice", "challenge")
EXPERIMENT = (r"^\*\*Predict", r"^/// cell \||^ *```", r"^\*\*Expected")
FIGURE = (r"\*\*Predict", r"^/// figure \|", r"\*\*Read the figure", r"not support", r"\*\*Connect")
EXERCISE = (
    r"^\*\*Task",
    r"^/{3,} details \| Hint",
    r"^\*\*Key functions",
    r"^ *```",
    r"^\*\*Plan",
    r"^1\. ",
    r"^/// starter \|",
    r"^//// details \| [^\n]*[Ss]olution",
    r"^/// cell \|",
)


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it, up to the next heading of its level."""

    heading: str
    body: str


def sections(text: str, level: int) -> list[Section]:
    """The sections of one level; a ``#`` inside a code fence is no heading."""
    masked = FENCED.sub(lambda match: re.sub(r"[^\n]", "x", match[0]), text)
    starts = [*re.finditer(rf"^{'#' * level} +(.+)$", masked, re.MULTILINE)]
    ends = [*(start.start() for start in starts[1:]), len(text)]
    return [Section(start[1], text[start.end() : end]) for start, end in zip(starts, ends, strict=True)]


def shortcomings(text: str, slug: str) -> list[str]:
    """What the page of a lesson lacks, one phrase each; empty for a whole lesson."""
    found = {}
    headings = sections(text, 2)
    for name, pattern in PARTS.items():
        matches = [index for index, part in enumerate(headings) if re.search(pattern, part.heading.lower())]
        if len(matches) != 1:
            return [f"{len(matches)} sections for the part {name!r}"]
        found[name] = matches[0]
    if sorted(found.values()) != list(found.values()):
        return ["the parts are not in their order"]
    concepts = found["values"] - found["idea"] - 1
    wrong = [] if 2 <= concepts <= 5 else [f"{concepts} concept sections, not 2 to 5"]
    wrong += [*_front(text, slug), *_folded(text)]
    for name, examine in EXAMINE.items():
        wrong += [f"{name}: {problem}" for problem in examine(headings[found[name]].body, slug)]
    return wrong


def _front(text: str, slug: str) -> Iterator[str]:
    match = FRONT.match(text)
    front: dict[str, Any] = yaml.safe_load(match[1]) if match else {}
    if (
        not {"title", "chapter", "order", "minutes"} <= set(front)
        or front["chapter"] != slug.partition("/")[0]
    ):
        yield "its front matter lacks title, order or minutes, or names another chapter"
    elif not re.search(rf"^# {re.escape(front['title'])}\n\n[A-Z]", text, re.MULTILINE):
        yield "no opening line under a first heading that is the title"


def _folded(text: str) -> Iterator[str]:
    """Answers, hints and solutions are left out of search."""
    for match in re.finditer(r"^( *)/{3,} details \|([^\n]*)\n((?:\1    [^\n]*\n)*)", text, re.MULTILINE):
        if "data-search-exclude" not in match[3]:
            yield f"the folded {match[2].strip()!r} can be found by search"


def _in_order(text: str, patterns: tuple[str, ...]) -> Iterator[str]:
    at = 0
    for pattern in patterns:
        match = re.compile(pattern, re.MULTILINE).search(text, at)
        if match is None:
            yield f"no {pattern!r} in its place"
            return
        at = match.end()


def _items(least: int, most: int) -> Callable[[str, str], Iterator[str]]:
    def examine(body: str, _: str) -> Iterator[str]:
        count = len(ITEM.findall(body))
        if not least <= count <= most:
            yield f"{count} points, not {least} to {most}"

    return examine


def _idea(body: str, _: str) -> Iterator[str]:
    yield from _in_order(body, (r"^\*\*Pause and reason", r"^/// details \| Answer"))


def _values(body: str, slug: str) -> Iterator[str]:
    yield from _in_order(body, (rf"^/// cell \| {slug} \S",))


def _steps(body: str, slug: str) -> Iterator[str]:
    cells = re.findall(rf"^/// cell \| {slug} \S", body, re.MULTILINE)
    if len(cells) < 3:
        yield f"{len(cells)} cells, not three or more"
    if not re.search(rf"^/// cell \| {slug}$", body, re.MULTILINE):
        yield "the whole example is missing"


def _figure(body: str, _: str) -> Iterator[str]:
    yield from _in_order(body, FIGURE)


def _run(body: str, slug: str) -> Iterator[str]:
    if not re.search(rf"^/// output \| {slug}$", body, re.MULTILINE):
        yield "no whole transcript"


def _experiments(body: str, _: str) -> Iterator[str]:
    experiments = sections(body, 3)
    if len(experiments) < 2:
        yield f"{len(experiments)} experiments, not two or more"
    for experiment in experiments:
        yield from (f"{experiment.heading}: {problem}" for problem in _in_order(experiment.body, EXPERIMENT))


def _exercises(body: str, slug: str) -> Iterator[str]:
    exercises = sections(body, 3)
    if len(exercises) != len(LEVELS):
        yield f"{len(exercises)} exercises, not three"
    for level, exercise in zip(LEVELS, exercises, strict=False):
        if level not in exercise.heading.lower():
            yield f"{exercise.heading!r} is not the {level}"
        yield from (f"{level}: {problem}" for problem in _in_order(exercise.body, EXERCISE))
        starter = re.search(rf"^/// starter \| {slug} (\S+)$", exercise.body, re.MULTILINE)
        if starter and f"/// cell | {slug} {starter[1]}\n" not in exercise.body:
            yield f"{level}: the solution of {starter[1]} is not shown"


def _questions(body: str, _: str) -> Iterator[str]:
    questions = re.split(r"^\*\*Question", body, flags=re.MULTILINE)[1:]
    if len(questions) < 2:
        yield f"{len(questions)} questions, not two or more"
    for number, question in enumerate(questions, start=1):
        options = re.split(r"^- ", question, flags=re.MULTILINE)[1:]
        if len(options) < 2:
            yield f"question {number} has {len(options)} options"
        if not all(_answered(option) for option in options):
            yield f"question {number} has an option without feedback"


def _answered(option: str) -> bool:
    """Whether an option holds a folded text of its own."""
    match = FOLDED.search(option)
    return match is not None and bool(match["text"].strip())


def _diagnose(body: str, _: str) -> Iterator[str]:
    rows = ROW.findall(body)
    if len(rows) < 4:
        yield f"a table of {max(len(rows) - 1, 0)} symptoms, not three or more"


def _references(body: str, _: str) -> Iterator[str]:
    if len(LINK.findall(body)) < 2:
        yield "fewer than two links"


EXAMINE: dict[str, Callable[[str, str], Iterator[str]]] = {
    "outcomes": _items(3, 5),
    "idea": _idea,
    "values": _values,
    "steps": _steps,
    "figure": _figure,
    "run": _run,
    "experiments": _experiments,
    "exercises": _exercises,
    "questions": _questions,
    "diagnose": _diagnose,
    "carry": _items(3, 5),
    "evidence": _items(3, 9),
    "references": _references,
}
