"""A number as a reader sees it: three significant digits, a readable unit. Standard library only."""

import math
import sys
from collections.abc import Sequence

# Units that take SI prefixes, with the size of each in a unit that does.
SCALED = {"ns": (1e-9, "s"), "s": (1.0, "s")} | {
    unit: (1.0, unit) for unit in ("B", "B/s", "FLOP", "FLOP/s", "Hz", "W", "J")
}
PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
DIGITS = 3
LARGEST = sys.float_info.max  # a whole number may be larger, and no division takes it
WIDEST = 6  # more digits than this before the point, or zeros after it, read better as a power of ten
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def text(value: object, unit: str = "") -> str:
    """A value with its unit.

    Numbers have three significant digits; whole ones, and those that need no more digits, are exact where no
    unit scales them. Lists and dictionaries are spelled element by element; text stays as it is.
    """
    if isinstance(value, bool | str):
        return str(value)
    if isinstance(value, int | float):
        return _with_unit(value, unit) if abs(value) <= LARGEST else f"{value} {unit}".rstrip()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(text(item) for item in value) + "]"
    return str(value)


def interval(estimate: float, low: float | None, high: float | None, unit: str = "") -> str:
    """An estimate and its interval in one unit, such as ``5.02 µs [4.98, 5.1]``."""
    if low is None or high is None:
        return text(estimate, unit)
    factor, name = scale(estimate, unit)
    shown = " ".join(part for part in (_number(estimate / factor), name) if part)
    return f"{shown} [{_number(low / factor)}, {_number(high / factor)}]"


def size(count: int) -> str:
    """A number of bytes: readable, and exact beside it where that says more."""
    exact = counted(count, "byte")
    return exact if scale(count, "B")[0] == 1.0 else f"{text(count, 'B')}, {exact}"


def scale(value: float, unit: str) -> tuple[float, str]:
    """The factor to divide by and the unit to write, so that the number lies in 1..999 where it can."""
    if unit not in SCALED or not math.isfinite(value) or not value:
        return 1.0, unit
    base, name = SCALED[unit]
    rounded = float(f"{abs(value) * base:.{DIGITS - 1}e}")
    exponent = 3 * math.floor(math.log10(rounded) / 3)
    exponent = min(max(exponent, -9 if name == "s" else 0), 0 if name == "s" else 15)
    return 10.0**exponent / base, PREFIXES[exponent] + name


def _with_unit(value: float, unit: str) -> str:
    factor, name = scale(value, unit)
    number = (_exact(value) if factor == 1.0 else None) or _number(value / factor)
    return f"{number} {name}" if name else number


def _exact(value: float) -> str | None:
    """The number as it stands, where that takes no more digits than a rounded one, or it is whole."""
    if not math.isfinite(value) or abs(value) >= 10**9:
        return None
    if value == int(value):
        return str(int(value))
    shown = repr(value)
    short = "e" not in shown and len(shown.lstrip("-0.").replace(".", "")) <= DIGITS
    return shown if short else None


def _number(value: float) -> str:
    if not math.isfinite(value) or not value:
        return str(value) if value else "0"
    mantissa, exponent = f"{value:.{DIGITS - 1}e}".split("e")
    power = int(exponent)
    if not -WIDEST < power < WIDEST:
        return f"{mantissa.rstrip('0').rstrip('.')}\u00d710{str(power).translate(SUPERSCRIPT)}"
    places = max(DIGITS - 1 - power, 0)
    return f"{round(value, DIGITS - 1 - power):.{places}f}"


def listed(names: Sequence[str], last: str) -> str:
    """Names as prose: ``cpu, cuda or tpu``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def counted(number: int, what: str) -> str:
    """``1 run``, ``2 runs``, ``3 processes``."""
    plural = what + ("es" if what.endswith("s") else "s")
    return f"{number} {what if number == 1 else plural}"
