"""Pages: what a hand-written Markdown file asks of runs. Light: the Markdown extension imports it."""
