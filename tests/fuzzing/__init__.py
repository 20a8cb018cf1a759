"""Hostile input: one function a target, from bytes to nothing, that raises only on a fault.

Hypothesis calls them in `make test` (test_hostile.py), and a coverage-guided fuzzer, atheris, in `make fuzz`.
"""
