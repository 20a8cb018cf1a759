"""benchbook: from a snippet to a page that says where every number comes from.

The flow, one way. `snippet` reads a lesson's file and cuts it into cells. `recorder` makes a `plan`, sends it
with the `worker` as one text `program` to a backend in a `session`; `harvest` gathers what comes back,
`assembly` makes a `run` of it, and `archive` writes that whole or not at all. `builder` derives what pages
need: `fragment` for the Markdown `blocks`, `figure` for drawings, `runpage` for the record itself. `check`
holds everything to its rules. Building never imports JAX nor executes a snippet; recording never edits a
page.
"""

__version__ = "0.1.0"
