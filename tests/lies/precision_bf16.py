"""The mistakes that precision/bf16 teaches."""

from tests.lies.lie import FalseTime, Lie

PROBE = 'ones["running"] == 256 and ones["sum_f32"] == 1001 and ones["dot_f32"] == 1001'
PRODUCT = "wide_stored < 1e-6 and default_stored > 1000 * wide_stored"
STORAGE = "wide_exact > 0.99 * inputs_exact and wide_exact < 1.01 * inputs_exact"
UPDATES = 'ends["bfloat16"] == 1 and ends["float32"] == 2'

LIES = (
    Lie(
        "precision/bf16",
        claim=PROBE,
        right="start = jnp.zeros((), x.dtype)",
        wrong="start, x = jnp.zeros((), F32), x.astype(F32)",
        blind=PRODUCT,
    ),
    Lie(
        "precision/bf16",
        claim=STORAGE,
        right="stored = rounded(a64) @ rounded(b64)",
        wrong="stored = rounded(a64 @ b64)",
        blind=UPDATES,
    ),
    Lie(
        "precision/bf16",
        claim=UPDATES,
        right="w = jnp.ones((), name)",
        wrong="w = jnp.ones(())",
        blind=PROBE,
    ),
)

FALSE_TIMES = (
    FalseTime("precision/bf16", "bf16_22 < 2 * f32_22", truth="bf16_22", lie="bf16_22_odd"),
    FalseTime("precision/bf16", "f32_23 > 2 * bf16_23", truth="f32_23", lie="f32_donated"),
)
