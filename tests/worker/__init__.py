"""Tests of the worker, one module each."""
