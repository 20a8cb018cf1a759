"""Drawing: recorded figures as SVG, and their data as tables. Matplotlib is imported here alone."""
