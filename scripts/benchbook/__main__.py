"""`python -m benchbook`."""

from benchbook.cli import main

if __name__ == "__main__":  # processes that draw import this file, and must not start over
    main()
