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
LEVELS = ("foundation", "practice", "challenge")
BLOCK = re.compile(r"^(?P<slashes>/{3,}) (?P<name>[a-z]+)(?: \| (?P<argument>[^\n]+))?\n", re.MULTILINE)
OPTIONS = re.compile(r"(?: {4,}[^\n]*\n)*")
EXPERIMENT = (r"^/{5,} predict \|", r"^\*\*Predict", r"^/{4,} answer \| Expected")
FIGURE = (r"^/// figure \|", r"\*\*Read the figure", r"not support", r"\*\*Connect")
EXERCISE = ("hint", "functions", "plan", "starter", "solution")


@dataclass(frozen=True)
class Block:
    """A block, and what stands in it, without its options.

    Attributes:
        name: As after the slashes.
        argument: What stands after the bar.
        options: Its options, as written.
        body: What it holds, inner blocks too.
        start: Where it begins in the text that it was found in.
    """

    name: str
    argument: str
    options: str
    body: str
    start: int


def blocks(text: str) -> list[Block]:
    """The outermost blocks of a text, in their order; a page is proved to close each one."""
    found, at = list[Block](), 0
    while match := BLOCK.search(text, at):
        options = OPTIONS.match(text, match.end())[0]
        begin = match.end() + len(options)
        end = re.compile(rf"^{match['slashes']} *$", re.MULTILINE).search(text, begin)
        body = text[begin : end.start()]
        found.append(Block(match["name"], match["argument"] or "", options, body, match.start()))
        at = end.end()
    return found


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
    """Blocks of ours leave what they fold away out of search; others have to say so."""
    for match in re.finditer(r"^( *)/{3,} details \|([^\n]*)\n((?:\1    [^\n]*\n)*)", text, re.MULTILINE):
        if "data-search-exclude" not in match[3]:
            yield f"the folded {match[2].strip()!r} can be found by search"


def _predictions(text: str) -> Iterator[str]:
    """Each prediction asks something and has an answer that says something."""
    found = [block for block in blocks(text) if block.name == "predict"]
    if not found:
        yield "no prediction"
    for block in found:
        inner = blocks(block.body)
        answers = [entry for entry in inner if entry.name == "answer"]
        if len(answers) != 1 or not _said(answers[0].body):
            yield f"the prediction {block.argument!r} has no answer"
        elif "?" not in block.body[: answers[0].start]:
            yield f"the prediction {block.argument!r} asks nothing"


def _said(text: str) -> bool:
    """Whether a text holds a sentence of its own, not only blocks."""
    for block in blocks(text):
        text = text.replace(block.body, "")
    return re.search(r"^[A-Z`:][^\n]*[.!]$", text, re.MULTILINE) is not None


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
    yield from _in_order(body, (r"^/{5,} predict \|", r"^\*\*Pause and reason", r"^/{4,} answer"))
    yield from _predictions(body)


def _values(body: str, slug: str) -> Iterator[str]:
    yield from _in_order(body, (rf"^/// cell \| {slug} \S",))


def _steps(body: str, slug: str) -> Iterator[str]:
    cells = re.findall(rf"^/// cell \| {slug} \S", body, re.MULTILINE)
    if len(cells) < 3:
        yield f"{len(cells)} cells, not three or more"
    if not re.search(rf"^/// cell \| {slug}$", body, re.MULTILINE):
        yield "the whole example is missing"


def _figure(body: str, _: str) -> Iterator[str]:
    yield from _in_order(body, (r"^/{5,} predict \|", r"^\*\*Predict", *FIGURE))
    yield from _predictions(body)


def _run(body: str, slug: str) -> Iterator[str]:
    if not re.search(rf"^/// output \| {slug}$", body, re.MULTILINE):
        yield "no whole transcript"


def _experiments(body: str, _: str) -> Iterator[str]:
    experiments = sections(body, 3)
    if len(experiments) < 2:
        yield f"{len(experiments)} experiments, not two or more"
    for experiment in experiments:
        yield from (f"{experiment.heading}: {problem}" for problem in _experiment(experiment.body))


def _experiment(body: str) -> Iterator[str]:
    """A prediction comes first; whatever was recorded is folded away with what was expected."""
    yield from _in_order(body, EXPERIMENT)
    yield from _predictions(body)
    if not re.search(r"^/// cell \||^ *```", body, re.MULTILINE):
        yield "no code"
    for answer in _within(body, "answer"):
        body = body.replace(answer.body, "")
    if re.search(r"^/{3,} (?:output|claim|measurements)\b", body, re.MULTILINE):
        yield "a result stands in view"


def _within(text: str, name: str) -> Iterator[Block]:
    """The blocks of a name, wherever they stand."""
    for block in blocks(text):
        if block.name == name:
            yield block
        yield from _within(block.body, name)


def _exercises(body: str, slug: str) -> Iterator[str]:
    exercises = sections(body, 3)
    if len(exercises) != len(LEVELS):
        yield f"{len(exercises)} exercises, not three"
    for level, exercise in zip(LEVELS, exercises, strict=False):
        if level not in exercise.heading.lower():
            yield f"{exercise.heading!r} is not the {level}"
        yield from (f"{level}: {problem}" for problem in _exercise(exercise.body, slug))


def _exercise(body: str, slug: str) -> Iterator[str]:
    found = {block.name: block for block in blocks(body)}
    if tuple(block.name for block in blocks(body)) != EXERCISE:
        yield f"its blocks are {', '.join(found) or 'none'}, not {', '.join(EXERCISE)}"
        return
    yield from _in_order(body, (r"^\*\*Task\.\*\*\n\S", r"^/// hint"))
    yield from (f"its {name} says nothing" for name in ("hint", "solution") if not _said(found[name].body))
    if "```" not in found["functions"].body:
        yield "its functions have no signatures"
    if not re.search(r"^1\. +\S", found["plan"].body, re.MULTILINE):
        yield "its plan has no steps"
    starter = found["starter"].argument
    if not starter.startswith(f"{slug} ") or f"/// cell | {starter}\n" not in found["solution"].body:
        yield f"the solution of {starter} is not shown"


def _questions(body: str, _: str) -> Iterator[str]:
    questions = [block for block in blocks(body) if block.name == "question"]
    if len(questions) < 2:
        yield f"{len(questions)} questions, not two or more"
    for question in questions:
        options = [block for block in blocks(question.body) if block.name == "option"]
        if len(options) < 2:
            yield f"{question.argument}: {len(options)} options"
        if not any("right: true" in option.options for option in options):
            yield f"{question.argument}: no right option"
        yield from (f"no feedback on {option.argument!r}" for option in options if not _said(option.body))


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
