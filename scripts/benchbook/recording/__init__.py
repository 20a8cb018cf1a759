"""Recording: from snippets to runs, by way of workers on named backends.

A `plan` says what runs, and `program` makes one text of it. `recorder` sends it to all hosts at once, which
`confluence` joins: a `session` is one `command`, whose output `intake` splits into frames. A `parcel` is the
same text carried by hand, and `delivery` reads what came back. `shape` and `proof` say what frames may be.
`harvest` turns them into runs: `gathering` puts the frames of a job together, `agreement` compares its
processes, `assembly` makes the run with its `artefact` files, `comparison` finds what changed; each ends as
an `outcome`, or with the line of a `failure`. An `environment` is a Python with another JAX: `condition`
looks at one that is there, `maker` makes one by an `interpreter` and the `installer`, which runs uv as an
`errand`, while `custody` keeps other recorders out.
"""
