"""The worker: what runs on a backend's machine. Standard library only, Python 3.11 or newer.

It knows nothing of the engine. It travels as one text program with its plan inside (`program`), and answers
with frames, one JSON object a line, on a descriptor that no snippet has. `service` is its life: a `warden`
stands above it, and its `folder` goes with it (`removal`). `dispatch` probes the backend and hands the jobs
to its `schedule`, which waits for the machine (`turn`), has the `launcher` start processes, ends their
`kin` and dates what they did by an `instant`. `watch` reads what a `process` prints, `child` is what runs
in each of them: it executes `cell` after `cell`, and `leavings` checks what they leave behind. `outcome`
says what came of a process, also of its `death`, and `remark` speaks to a person who runs it. `wire` is
what both sides agree on.
"""
