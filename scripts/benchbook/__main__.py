"""`python -m benchbook`."""

from benchbook.cli import main

main()
