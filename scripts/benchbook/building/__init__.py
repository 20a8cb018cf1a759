"""Building: from runs, snippets and pages to everything derived. Nothing is executed."""
