"""The tests: one module per engine module, plus lessons, site and faults."""
