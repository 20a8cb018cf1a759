"""A lesson's hand-written files: the snippet, its starters, and what a new lesson begins with."""
