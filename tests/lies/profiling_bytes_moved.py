"""The mistakes that profiling/bytes-moved teaches."""

from tests.lies.lie import FalseTime, Lie

VALUES = "error < 1e-6"
CHAIN = (
    'chain["op_by_op"] == 28 and chain["least"] == 8 and chain["lowered"] == 40 '
    'and chain["compiled"] == 8 and chain["entry"] == 8'
)
LOOP = "looped_counted == 52428800 and unrolled_believed == 52428800 and looped_believed == 524290"

LIES = (
    Lie(
        "profiling/bytes-moved",
        claim=VALUES,
        right="return square + x",
        wrong="return square - x",
        blind=CHAIN,
    ),
    Lie(
        "profiling/bytes-moved",
        claim=CHAIN,
        right='kept = {v for v in variables if not hasattr(v, "val")}',
        wrong='kept = [v for v in variables if not hasattr(v, "val")]',
        blind=VALUES,
    ),
    Lie(
        "profiling/bytes-moved",
        claim='returned["op_by_op"] == 28 and returned["least"] == 12 '
        'and returned["compiled"] == 16 and returned["instructions"] == 2 and returned["flops"] == 4',
        right="return gap * gap + x, gap  # the caller",
        wrong="return gap * gap + x, 0.0  # the caller",
        blind=CHAIN,
    ),
    Lie(
        "profiling/bytes-moved",
        claim=LOOP,
        right='rounds = params["length"] if name == "scan" else 1',
        wrong="rounds = 1",
        blind=CHAIN,
    ),
    Lie(
        "profiling/bytes-moved",
        claim='by_five["lowered"] == 2621442 and by_five["jaxpr"] == 52428800 '
        'and by_data["lowered"] == 524290',
        right="b, unroll=5",
        wrong="b, unroll=1",
        blind=LOOP,
    ),
    Lie(
        "profiling/bytes-moved",
        claim='copies["jaxpr"] == 4222976 and copies["lowered"] == 4222976 and copies["compiled"] == 552960',
        right="total = total + a @ b",
        wrong="total = total + total @ b",
        blind=LOOP,
    ),
)

FALSE_TIMES = (
    FalseTime(
        "profiling/bytes-moved",
        "three_programs > 2 * one_program",
        truth="three_programs",
        lie="in_place",
    ),
    FalseTime(
        "profiling/bytes-moved",
        "gap_returned > 1.3 * one_program",
        truth="gap_returned",
        lie="in_place",
    ),
    FalseTime("profiling/bytes-moved", "one_program > 1.3 * in_place", truth="one_program", lie="in_place"),
)
