"""Numbers typed into prose: which are found, and which have a run, a source or no unit of ours."""

import pytest

from benchbook.rules.typed import Typed, find


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("The call took 5 ms.", "5 ms"),
        ("The call took 5ms.", "5ms"),
        ("The call took 5.2 µs.", "5.2 µs"),
        ("The call took 5.2 us here.", "5.2 us"),
        ("A 70-ns step.", "70-ns"),
        ("It waits 3 s.", "3 s"),
        ("It waits 1.5s.", "1.5s"),
        ("It took 3x10^-6 s.", "3x10^-6 s"),
        ("It took 3 \xd7 10⁻⁶ s.", "3 \xd7 10⁻⁶ s"),
        ("It took 1e-6 seconds.", "1e-6 seconds"),
        ("It takes 45 minutes.", "45 minutes"),
        ("It took 12 milliseconds.", "12 milliseconds"),
        ("It holds 1,024 KiB.", "1,024 KiB"),
        ("It holds 32 MiB and more.", "32 MiB"),
        ("It has 139&nbsp;GB.", "139&nbsp;GB"),
        ("It copies 20 GB/s.", "20 GB/s"),
        ("It reaches 80 GFLOP/s.", "80 GFLOP/s"),
        ("It reaches 80 GFLOPS.", "80 GFLOPS"),
        ("It runs at 2.4 GHz.", "2.4 GHz"),
        ("It makes 200 calls per second.", "200 calls per second"),
        ("It makes 200 calls/s.", "200 calls/s"),
        ("Between 5-10 ms.", "10 ms"),
        ("It took **5** ms.", "5** ms"),
        ("It took **5 ms**.", "5 ms"),
        ("It took 5 *ms*.", "5 *ms"),
        ("It took *5* **ms**.", "5* **ms"),
        ("It took 5 _ms_.", "5 _ms"),
        ("It took __5__ ms.", "5__ ms"),
        ("It took $5$ ms.", "5$ ms"),
        (r"It took $5\,\mathrm{ms}$.", r"5\,\mathrm{ms"),
        ("It took 5&#160;ms.", "5&#160;ms"),
        ("It took 5&#xA0;ms.", "5&#xA0;ms"),
        ("It took 5&nbsp;ms.", "5&nbsp;ms"),
        ("It took 5&thinsp;ms.", "5&thinsp;ms"),
        ("It took 5\u2009ms.", "5\u2009ms"),
        ("It took 5\u202fms.", "5\u202fms"),
        ("It took 5 &micro;s.", "5 &micro;s"),
        ("It took 5 &#181;s.", "5 &#181;s"),
        ("It took \xbd s.", "\xbd s"),
        ("It took 1\xbd hours.", "1\xbd hours"),
        ("It took 5 msec.", "5 msec"),
        ("It took 5 usec.", "5 usec"),
        ("It took 5 min.", "5 min"),
        ("It took 1 day.", "1 day"),
        ("| eager | 5 ms |", "5 ms"),
        ("# A title with 5 ms", "5 ms"),
        ("- An item of 5 ms", "5 ms"),
        ("/// details | It takes 5 ms", "5 ms"),
    ],
)
def test_a_number_with_a_unit_is_found(sentence: str, found: str) -> None:
    """Times, rates and memory, however they are spelled."""
    assert find(f"Before.\n\n{sentence}\n") == [Typed(found, 3)]


@pytest.mark.parametrize(
    "sentence",
    [
        "It took five minutes, half a day, `5` ms.",
        "At 5 minimum, 1 daylight, \xbd of it, **5** steps, 5 *min_size*.",
        "The queue is 32-deep, and x is float32[4,3] of shape (4, 3).",
        "The loss is 0.46 after 20 calls and 3 steps.",
        "In the 1990s there were 0s and 1s.",
        "It is 5 more, 5 metres, 5 msgs.",
        "A float32 takes 4 bytes, and the product 2 FLOPs.",
        "An H100 and a v5e, jax 0.9.2 and float32 matter.",
        "The call took :value[jit/compile compiled.median], not `5 ms`.",
        ":value[jit/compile round(compiled / 5, 3)] s",
        "It took [5 ms](https://example.org/report).",
        "It took 5 ms, says [the report][report].",
        "It took 5 ms.[^report]",
        "[^report]: A report, 5 ms.",
        "It took 5 ms, says https://example.org/report here.",
        "<!-- It took 5 ms. -->",
    ],
)
def test_what_is_cited_derived_or_no_unit_is_left_alone(sentence: str) -> None:
    """Links and footnotes cite; counts and shapes are derived by hand; code is no prose."""
    assert find(sentence) == []


def test_code_front_matter_and_options_are_no_prose() -> None:
    """Only what a reader reads as a sentence counts."""
    text = """\
---
title: Takes 5 ms
minutes: 45 minutes
---

```python
wait = "5 ms"
```

    ~~~
    5 ms
    ~~~

/// figure | jit/compile losses
    alt: A bar at 5 ms.
    run: cpu
A bar at 7 ms.
///

-   An answer.

    /// details | Feedback
        type: 6 ms

    A bar at 8 ms.
    ///
"""
    assert find(text) == [Typed("7 ms", 17), Typed("8 ms", 25)]


def test_a_citation_covers_its_own_sentence_only() -> None:
    """A link in the next sentence, or on the next line, is no source for this one."""
    cited = "The [report](https://example.org) says 5 ms."
    assert find(f"It took 6 ms. {cited}") == [Typed("6 ms", 1)]
    assert find(f"{cited}\nIt took 6 ms.") == [Typed("6 ms", 2)]
    assert find(f"It took 6 ms.[^one] {cited}\nA picture ![5 ms](x.svg).") == [Typed("5 ms", 2)]


def test_every_number_of_a_sentence_is_named() -> None:
    """One finding each, on the line where it stands."""
    assert find("One.\nFrom 5 ms to 6 ms.\n") == [Typed("5 ms", 2), Typed("6 ms", 2)]
