"""Tests of what runs in a browser, one module for each script."""
