"""The probe: what JAX finds in a process, asked before any snippet runs and again when one has ended."""

import os
from typing import Any, NoReturn

from benchbook.worker import machine
from benchbook.worker.cell import last_line
from benchbook.worker.control import Control


def main(control: Control) -> NoReturn:
    """Reports what JAX finds here, before any snippet runs, and ends the process."""
    try:
        import jax

        config = _configuration(jax)
        control.send("probe", device=machine.devices(), config=config, clock=machine.clock())
    except Exception as error:
        advice = " (set JAX_PLATFORMS="  # JAX's own, which would choose another backend in silence
        asked = os.environ.get("JAX_PLATFORMS", "")
        detail = f"JAX cannot start {asked!r}: {last_line(error).partition(advice)[0]}"
        hint = " (no such device, or no plug-in of JAX for it)" if str(error) == "" else ""
        control.send("no device", detail=detail + hint)
    finally:
        os._exit(0)


def report(control: Control) -> int:
    """Reports it after the last cell; returns the status to end with."""
    import jax

    try:
        device = machine.devices()
    except Exception as error:
        control.send("failed", failure="refused", cell=None, line=None, detail=last_line(error))
        return 1
    control.send("done", device=device, config=_configuration(jax), imported=machine.imported())
    return 0


def _configuration(jax: Any) -> dict[str, Any]:  # noqa: ANN401  # the module is not there when this is typed
    """Every jax.config value that JSON can hold."""
    values = getattr(jax.config, "values", {})
    fit = bool | int | float | str | None
    return {name: value for name, value in sorted(values.items()) if isinstance(value, fit)}
