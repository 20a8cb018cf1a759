"""The skeleton of a lesson: a snippet that runs as it stands, and a page with every part of the anatomy."""

import textwrap
from string import Template

SNIPPET = Template('''\
# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# ///
"""Say in one sentence what this lesson shows."""

# %% inputs
import jax
import jax.numpy as jnp
import numpy as np

x = jnp.arange(4, dtype=jnp.float32)
print(f"backend {jax.default_backend()}: x {x.dtype}{list(x.shape)}")

# %% expected
# NumPy in float64, from the same decimal numbers: no JAX array takes part.
expected = float(np.sum(np.arange(4, dtype=np.float64) ** 2))  # 0 + 1 + 4 + 9
assert expected == 14
print(f"expected {expected:.1f}")


# %% paths
def total(x):
    return jnp.sum(x**2)


eager = float(total(x))
compiled = float(jax.jit(total)(x))
for name, value in (("eager", eager), ("compiled", compiled)):
    assert abs(value - expected) < 1e-5
    print(f"{name:<8} {value:.6f}")

results = {"eager": eager, "compiled": compiled}
visual_data = {
    "kind": "bar",
    "labels": ["eager", "compiled"],
    "ylabel": "sum of squares",
    "series": [{"label": "evaluated sum", "y": [eager, compiled]}],
}

# %% mistake
# The lesson's mistake, made on purpose.
wrong = float(jnp.sum(x) ** 2)
print(f"mistake  {wrong:.6f}")
results["wrong"] = wrong

# %% verdict
print("PASS: the values are as derived without JAX")

# %% exercise-foundation tags=["solution"]
doubled = total(2 * x)  # TODO: the sum of squares of twice the input
assert float(doubled) == 56

# %% exercise-practice tags=["solution"]
gradient = jax.grad(total)(x)  # TODO: the derivative of total at x
assert np.allclose(gradient, [0, 2, 4, 6])

# %% exercise-challenge tags=["solution"]
rows = jax.vmap(total)(jnp.stack([x, 2 * x]))  # TODO: total of each row, in one call
assert np.allclose(rows, [14, 56])
''')

ANSWER = """\
/// details | {title}
    type: {kind}
    attrs: {{data-search-exclude: ""}}

{text}
///
"""


def _folded(title: str, kind: str, text: str) -> str:
    return ANSWER.format(title=title, kind=kind, text=text)


def _exercise(number: int, level: str) -> str:
    hint = _folded("Hint", "tip", "Point at the idea that is needed, and keep the answer back.")
    return f"""\
### Exercise {number} ({level})

**Task.**
Say what the reader has to write, and how it will be checked.

{hint}
**Key functions.**
List each function that is needed, with its signature.

**Plan.**

1. Give the steps, one line each.

/// starter | $slug exercise-{level}
///

//// details | Reference solution
    type: success
    attrs: {{data-search-exclude: ""}}

/// cell | $slug exercise-{level}
///

Say why this is the answer, and what a tempting wrong one would do.
////
"""


def _question(number: int) -> str:
    wrong = _option("A", "Word a plausible wrong answer.", "Say what it overlooks.")
    right = _option("B", "Word the right answer.", "Say why it is right.")
    return f"**Question {number}.**\nAsk for a reason, not for a fact.\n\n{wrong}\n{right}"


def _option(letter: str, answer: str, feedback: str) -> str:
    folded = textwrap.indent(_folded(f"Feedback on {letter}", "quiz", feedback), "    ")
    return f"-   **{letter}.** {answer}\n\n{folded}"


PAGE = Template(f"""\
---
title: $title
chapter: $chapter
order: $order
minutes: 45
---

# $title

Say in one sentence what the reader will do.

## What you will be able to do

- List three to five outcomes that a reader can check.

## The problem

Tell a concrete situation in which a reasonable person goes wrong.

## The idea

Give the model that explains the situation.

**Pause and reason.**
Ask one question that the model answers.

{_folded("Answer", "note", "Give the answer and its reason.")}
## A distinction

Write two to five sections like this one, each on one distinction that the experiment depends on.
Say what a measurement includes and what it leaves out.

## Check the values before timing

Derive the expected value without JAX, by hand or with NumPy in float64.

/// cell | $slug expected
///

/// output | $slug expected
///

## Step by step

Show the example in about three cells, and say after each what it did.

/// cell | $slug inputs
///

/// cell | $slug paths
///

/// output | $slug paths
///

/// claim | $slug
    holds: abs(eager - 14) < 1e-5 and abs(compiled - 14) < 1e-5
State in a sentence what was shown, and tie it to the results.
///

### The whole example

Say what is needed to run it.

/// cell | $slug
///

## The figure

**Predict.**
Ask what the figure will show.

/// figure | $slug paths
    alt: Describe the figure to somebody who cannot see it.
Say in one sentence what the figure shows.
///

**Read the figure.**
Say what each axis and each mark means.

**What it does not support.**
Name the wrong reading that is most tempting.

**Connect it to the computation.**
Say which line of the example each mark comes from.

## Recorded run

Show the whole transcript, and below it a `measurements` block where the snippet measures.
Numbers of a run stand in sentences as `:value[$slug NAME.median]`.

/// output | $slug
///

## Experiments

### Experiment 1: the mistake

**Predict before running.**
Ask what the lesson's mistake does to the number.

/// cell | $slug mistake
///

/// output | $slug mistake
///

**Expected.**
Give the outcome and its reason.

### Experiment 2

**Predict before running.**
Ask what another change of the example does.

**Expected.**
Give the outcome and its reason.

## Exercises

Say where the starters go.

{_exercise(1, "foundation")}
{_exercise(2, "practice")}
{_exercise(3, "challenge")}
## Check your understanding

{_question(1)}
{_question(2)}
## Diagnose the result

| Symptom | Likely cause | What to check next |
| --- | --- | --- |
| Describe what a reader sees | Name the cause | Name the check that decides |

## Carry forward

- Leave three to five lines that are worth remembering.

## Keep your evidence

Say what to save for a portfolio: predictions, changed code, output, provenance, and what was excluded.

## Primary references

- Link official documentation, source, papers, and the public thread that the lesson answers.
""")
