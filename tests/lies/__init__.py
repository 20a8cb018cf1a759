"""The mistakes that the lessons teach, one module a lesson."""

from tests.lies import (
    jit_cache_keys,
    jit_compile,
    jit_donation,
    jit_ragged_batches,
    jit_stages,
    performance_compare,
    performance_distributions,
    performance_limits,
    performance_measure,
    precision_bf16,
    precision_matmul,
    precision_tolerances,
    precision_x64,
    profiling_bytes_moved,
    profiling_memory,
    profiling_traces,
)
from tests.lies.lie import FalseTime, Lie

LESSONS = (
    performance_measure,
    performance_distributions,
    performance_compare,
    performance_limits,
    jit_compile,
    jit_stages,
    jit_cache_keys,
    jit_ragged_batches,
    jit_donation,
    profiling_traces,
    profiling_memory,
    profiling_bytes_moved,
    precision_matmul,
    precision_bf16,
    precision_x64,
    precision_tolerances,
)
LIES = tuple(lie for lesson in LESSONS for lie in lesson.LIES)
FALSE_TIMES = tuple(lie for lesson in LESSONS for lie in lesson.FALSE_TIMES)

__all__ = ["FALSE_TIMES", "LIES", "FalseTime", "Lie"]
