"""The language of values and claims: a small, allow-listed part of Python's expressions."""
