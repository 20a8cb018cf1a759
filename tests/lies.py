"""The mistake that each lesson teaches: planted into its snippet, or put in the place of a time."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Lie:
    """A mistake in the code that turns a claim about values or counts over.

    Attributes:
        slug: The lesson.
        claim: As the page states it.
        right: A piece of the snippet that occurs once.
        wrong: What stands there when the mistake is made.
        blind: A claim of the page that still holds: the check that the mistake would slip past.
    """

    slug: str
    claim: str
    right: str
    wrong: str
    blind: str


@dataclass(frozen=True)
class FalseTime:
    """A measurement that is taken for another and turns a claim about times over.

    Attributes:
        slug: The lesson.
        claim: As the page states it.
        truth: The measurement that the claim names.
        lie: The one that is put in its place.
    """

    slug: str
    claim: str
    truth: str
    lie: str


LOSSES = "max(abs(eager_loss - 0.46), abs(first_loss - 0.46), abs(repeated_loss - 0.46)) < 1e-6"

LIES = (
    Lie(
        "jit/compile",
        claim="abs(ramp_right - 0.56) < 1e-5 and abs(ramp_broadcast - 2.06) < 1e-5",
        right="(predictions - y) ** 2",
        wrong="(predictions - y[:, None]) ** 2",
        blind=LOSSES,
    ),
    Lie(
        "jit/compile",
        claim=LOSSES,
        right="return jnp.mean((predictions",
        wrong="return jnp.sum((predictions",
        blind="traces == 1",
    ),
    Lie(
        "jit/compile",
        claim="gradient_error < 1e-6",
        right="jax.value_and_grad(loss))  # with",
        wrong="jax.value_and_grad(lambda w, x, y: loss(w, x, y) / 2))  # with",
        blind=LOSSES,
    ),
    Lie(
        "jit/compile",
        claim="traces == 1",
        right="repeated, repeated_seconds = timed(compiled_loss, w, x, y)",
        wrong="repeated, repeated_seconds = timed(jax.jit(lambda *a: traces.append(a) or loss(*a)), *inputs)",
        blind=LOSSES,
    ),
    Lie(
        "jit/compile",
        claim="traces_for_two_rows == 1",
        right="compiled_loss(w, x[2:], y[2:])",
        wrong="compiled_loss(w, x[1:], y[1:])",
        blind="traces == 1",
    ),
)

FALSE_TIMES = (FalseTime("jit/compile", "eager > compiled", truth="compiled", lie="first_call"),)
