"""The mistakes that jit/compile teaches."""

from tests.lies.lie import FalseTime, Lie

LOSSES = "max(abs(eager_loss - 0.46), abs(first_loss - 0.46), abs(repeated_loss - 0.46)) < 1e-6"
TRACES = "traces == 1 and traces_reported == 1"

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
        blind=TRACES,
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
        claim=TRACES,
        right="repeated, repeated_seconds = timed(compiled_loss, w, x, y)",
        wrong="repeated, repeated_seconds = timed(jax.jit(lambda *a: traces.append(a) or loss(*a)), *inputs)",
        blind=LOSSES,
    ),
    Lie(
        "jit/compile",
        claim="traces_for_two_rows == 1",
        right="compiled_loss(w, x[2:], y[2:])",
        wrong="compiled_loss(w, x[1:], y[1:])",
        blind=TRACES,
    ),
)

FALSE_TIMES = (FalseTime("jit/compile", "eager > compiled", truth="compiled", lie="first_call"),)
