"""The mistakes that precision/x64 teaches."""

from tests.lies.lie import FalseTime, Lie

WAYS = 'wrong["default"] == 5 and wrong["enable_x64"] == 0'
SILENT = "silent == 3 and raises == 2"
DOUBLES = "doubled == 8 and kept == 3"
STAYS = "stays == 4 and digits == 3"
PROGRAM = "traces == 2 and same_program"
MEMORY = "f64_22 > 3 * f64_22_donated"

LIES = (
    Lie(
        "precision/x64",
        claim=WAYS,
        right='jax.enable_x64(name == "enable_x64")',
        wrong='jax.enable_x64(name == "x64")',
        blind=SILENT,
    ),
    Lie(
        "precision/x64",
        claim=DOUBLES,
        right='"jnp.zeros(4)"',
        wrong='"jnp.zeros(4, jnp.float32)"',
        blind=WAYS,
    ),
    Lie(
        "precision/x64",
        claim=STAYS,
        right="d, w = jnp.array([0.1, 0.2, 0.3])",
        wrong="d, w = jnp.full(3, 0.1)",
        blind=PROGRAM,
    ),
    Lie(
        "precision/x64",
        claim=PROGRAM,
        right="return 0.5 * x + 1\n",
        wrong="return np.float64(0.5) * x + 1\n",
        blind=DOUBLES,
    ),
)

FALSE_TIMES = (
    FalseTime("precision/x64", MEMORY, truth="f64_22_donated", lie="f64_22"),
    FalseTime("precision/x64", "f64_22_donated < 4 * f32_22_donated", truth="f64_22_donated", lie="f64_22"),
    FalseTime("precision/x64", "matmul_64 > 1.2 * matmul_32", truth="matmul_64", lie="matmul_32"),
)
