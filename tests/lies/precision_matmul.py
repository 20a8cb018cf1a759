"""The mistakes that precision/matmul teaches."""

from tests.lies.lie import FalseTime, Lie

ROUNDING = "rounded_apart == 0"
DERIVED = "largest_off < 0.01"
PRODUCTS = "dots_bf16_x1 == 1 and dots_bf16_x3 == 3 and dots_bf16_x6 == 6"
CARRIED = "programs == 3"
SAME = "products == 1"
JUDGED = "native_highest > 2 * emulated_bf16_x6"

LIES = (
    Lie(
        "precision/matmul",
        claim=JUDGED,
        right="a.astype(np.float64) @ b.astype(np.float64)  # NumPy",
        wrong="(a @ b).astype(np.float64)  # NumPy",
        blind=DERIVED,
    ),
    Lie(
        "precision/matmul",
        claim=CARRIED,
        right="jnp.matmul(x, y, precision=level)",
        wrong="jnp.matmul(x, y, precision=None)",
        blind=SAME,
    ),
    Lie(
        "precision/matmul",
        claim=DERIVED,
        right="x = x - found[-1]  # what is left, exactly",
        wrong="x = rounded(x, 7)  # what is left is forgotten",
        blind=PRODUCTS,
    ),
    Lie(
        "precision/matmul",
        claim=ROUNDING,
        right="+ (raw >> cut & 1)",
        wrong="+ 1",
        blind=DERIVED,
    ),
)

FALSE_TIMES = (
    FalseTime("precision/matmul", "emulated_six > 2 * highest", truth="emulated_six", lie="default"),
)
