"""The mistakes that jit/ragged-batches teaches."""

from tests.lies.lie import FalseTime, Lie

COMPILES = "masked_compiles == 1"
WEIGHTS = "masked_distance < 1e-5"
LENGTHS = (
    "each_compiles == 9 and powers_compiles == 4 and one_compiles == 1"
    " and powers_extra == 51 and one_extra == 187"
)
SILENT = "again_traced == 0 and again_logged == 0 and not again_raised"
TRAINED = "max(each_distance, powers_distance, one_distance) < 1e-5"

LIES = (
    # Padding without a mask: the weights move, and counting does not see it.
    Lie(
        "jit/ragged-batches",
        claim=WEIGHTS,
        right="valid = np.arange(size) < len(x)\n    x, y = (np.pad",
        wrong="valid = np.arange(size) < size\n    x, y = (np.pad",
        blind=COMPILES,
    ),
    # A mask above the line only: the tail teaches half of what it should.
    Lie(
        "jit/ragged-batches",
        claim=WEIGHTS,
        right="jnp.where(valid, squared, 0)) / jnp.sum(valid)\n\n\ndef make_step",
        wrong="jnp.where(valid, squared, 0)) / valid.size\n\n\ndef make_step",
        blind=COMPILES,
    ),
    # A ragged tail: the weights are right, and the loop compiles twice.
    Lie(
        "jit/ragged-batches",
        claim=COMPILES,
        right="pad(x, y, BATCH)",
        wrong="pad(x, y, len(x))",
        blind=WEIGHTS,
    ),
    # Rounding up to a multiple of two is no bucket of powers of two.
    Lie(
        "jit/ragged-batches",
        claim=LENGTHS,
        right="return 1 << (n - 1).bit_length()",
        wrong="return n + n % 2",
        blind=TRAINED,
    ),
    # A mask that forgets one row of data.
    Lie(
        "jit/ragged-batches",
        claim=TRAINED,
        right="valid = np.arange(size) < len(x)\n    x, y = (np.pad",
        wrong="valid = np.arange(size) < len(x) - 1\n    x, y = (np.pad",
        blind=LENGTHS,
    ),
    # A warm-up that leaves buckets out: the loop is not silent yet.
    Lie(
        "jit/ragged-batches",
        claim=SILENT,
        right="epoch(step, bucketed)  # warm-up",
        wrong="epoch(step, bucketed[:2])  # warm-up",
        blind=COMPILES,
    ),
    # A guard that was only tried on what it knows.
    Lie(
        "jit/ragged-batches",
        claim="new_traced == 1 and new_logged == 1 and new_raised",
        right='("steady", "20 rows", [pad(*many[1], 20)])',
        wrong='("steady", "20 rows", [pad(*many[1], 32)])',
        blind=SILENT,
    ),
    # A committed batch that is none: its shape is known, and every witness is silent.
    Lie(
        "jit/ragged-batches",
        claim="committed_traced == 0 and committed_logged == 1 and committed_raised",
        right="[jax.device_put(bucketed[1], jax.devices()[0])]",
        wrong="[jax.device_put(bucketed[1])]",
        blind=SILENT,
    ),
    # The mask after the computation, where the lesson puts it before.
    Lie(
        "jit/ragged-batches",
        claim="clean_error < 1e-6 and clean_nans == 0",
        right="    x, y = jnp.where(valid, x, 0), jnp.where(valid, y, 0)\n",
        wrong="",
        blind="loss_error < 1e-6 and loss_nans == 2",
    ),
    # Padding on the device: the step compiles as seldom as before.
    Lie(
        "jit/ragged-batches",
        claim="moved_step == 3 and moved_pads == 4",
        right="    x, y = (jnp.pad(a",
        wrong="    x, y = (np.pad(a",
        blind=LENGTHS,
    ),
)

# The first epoch's price, taken from a later epoch.
FALSE_TIMES = (
    FalseTime("jit/ragged-batches", "first_each > first_powers", truth="first_each", lie="later_each"),
)
