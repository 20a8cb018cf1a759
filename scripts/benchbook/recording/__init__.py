"""Recording: from snippets to runs, by way of a worker on a named backend."""
