"""The mistakes that jit/donation teaches."""

from tests.lies.lie import FalseTime, Lie

VALUES = "error == 0"
REUSE = "donated_reused == 3 and plain_reused == 0"
ALIAS = "donated_alias == 4096 and plain_alias == 0"
LIVE = "donated_live == 1 and plain_live == 2"
DONATED = "donated = jax.jit(step, donate_argnums=0)"
ALONE = 'pays["alone_plain_16"] and pays["alone_plain_32"] and not pays["alone_donated_32"]'
KEPT = 'not pays["kept_plain_16"] and not pays["kept_plain_32"]'
VIEW = 'loses["asarray"] == shares["asarray"] and not loses["array"] and not loses["dropped"]'
SHARED = 'deleted["device_put"] and loses["device_put"] == shares["device_put"]'
LARGE = "plain_64 > 2 * donated_64"

LIES = (
    Lie("jit/donation", claim=REUSE, right=DONATED, wrong="donated = jax.jit(step)", blind=VALUES),
    Lie(
        "jit/donation",
        claim=REUSE,
        right=DONATED,
        wrong="donated = jax.jit(lambda x: step(x).astype(jnp.bfloat16), donate_argnums=0)",
        blind=VALUES,
    ),
    Lie(
        "jit/donation",
        claim=VALUES,
        right="    return 0.5 * x + 1",
        wrong="    return 0.5 * (x + 1)",
        blind=REUSE,
    ),
    Lie(
        "jit/donation",
        claim="traces == 1 and programs == 2",
        right="walk(donated, jnp.array(start))",
        wrong="walk(donated, jnp.array(start, dtype=int))",
        blind=VALUES,
    ),
    Lie("jit/donation", claim=ALIAS, right="f.lower(wide)", wrong="jax.jit(step).lower(wide)", blind=LIVE),
    Lie("jit/donation", claim=LIVE, right="after = f(x)", wrong="after = f(x + 0)", blind=ALIAS),
    Lie("jit/donation", claim=ALONE, right="(32, 0)):", wrong="(32, ())):", blind=REUSE),
    Lie("jit/donation", claim=KEPT, right='("kept", KEEP)', wrong='("kept", {})', blind=ALONE),
    Lie(
        "jit/donation",
        claim="old_deleted",
        right="new = donated(old)",
        wrong="new = donated(jnp.copy(old))",
        blind=REUSE,
    ),
    Lie(
        "jit/donation",
        claim="by_name",
        right="donated(x=named)",
        wrong="plain(x=named)",
        blind="old_deleted",
    ),
    Lie(
        "jit/donation",
        claim='kept["bfloat16[1024]"] and not reused["bfloat16[1024]"] and not warned["bfloat16[1024]"]',
        right="step(x).astype(jnp.bfloat16)",
        wrong="step(x).astype(jnp.float32)",
        blind='warned["float32[]"] and not reused["float32[]"]',
    ),
    Lie(
        "jit/donation",
        claim='warned["float32[]"] and not reused["float32[]"]',
        right="step(x).sum()",
        wrong="step(x) + x.sum()",
        blind='kept["bfloat16[1024]"] and not reused["bfloat16[1024]"] and not warned["bfloat16[1024]"]',
    ),
    Lie(
        "jit/donation",
        claim=VIEW,
        right="np.asarray(three).copy()",
        wrong="np.asarray(three)",
        blind=SHARED,
    ),
    Lie("jit/donation", claim=SHARED, right="ready(donated(x))", wrong="ready(plain(x))", blind=REUSE),
)

FALSE_TIMES = (
    FalseTime("jit/donation", LARGE, truth="donated_64", lie="plain_64"),
    FalseTime(
        "jit/donation",
        "alone_plain_32 > 2 * kept_plain_32",
        truth="kept_plain_32",
        lie="alone_plain_32",
    ),
)
