"""benchbook: from a snippet to a page that says where every number comes from.

The flow, one way. `snippet` reads a lesson's file and cuts it into cells. `recorder` plans the jobs, sends them
with the `worker` as one text program to a backend, gathers what came back, and lets `harvest` assemble a `run`,
which `scrub` refuses when it says too much and `archive` writes whole or not at all. `builder` derives what pages
need: `fragment` for the Markdown `blocks`, `figure` for drawings, `runpage` for the record itself. `check` holds
everything to its rules. Building never imports JAX and never executes a snippet; recording never edits a page.
"""

__version__ = "0.1.0"
