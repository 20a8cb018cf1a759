"""A viewer: what opens a file that a run left behind, told by how the file's name ends."""

from dataclasses import dataclass

from benchbook.building.markup import code, element, text


@dataclass(frozen=True, slots=True)
class Viewer:
    """A program that reads files of one kind.

    Attributes:
        endings: How their names end.
        steps: What to do, with ``FILE`` for the file, and ``UNPACKED`` for what is packed in it; words
            of code stand between grave accents.
        address: Where the viewer is, or where it is described.
    """

    endings: tuple[str, ...]
    steps: str
    address: str


PERFETTO = Viewer(
    ("trace.json.gz", "trace.json"),
    "Open `ui.perfetto.dev`, choose Open trace file, and pick `FILE` as it is. "
    "The page reads it in your browser and by itself sends it nowhere.",
    "https://perfetto.dev/docs/visualization/perfetto-ui",
)
XPROF = Viewer(
    (".xplane.pb",),
    "Put `FILE` into `LOGDIR/plugins/profile/NAME/`; LOGDIR and NAME are folders of your own, and XProf "
    "writes into them. In an environment of its own, `pip install xprof`, then `xprof LOGDIR`. "
    "Open `http://localhost:8791` and choose Tools, Trace Viewer. "
    "Other machines of your network can reach it too, until Ctrl+C ends it.",
    "https://github.com/openxla/xprof",
)
PPROF = Viewer(
    (".pb.gz", ".prof"),
    "With Go, `go install github.com/google/pprof@latest`; then `pprof -top FILE` reads it as it is.",
    "https://github.com/google/pprof",
)
UNPACKED = Viewer(
    (".xplane.pb.gz",),
    "Unpack it with `gunzip FILE`. " + XPROF.steps.replace("FILE", "UNPACKED"),
    XPROF.address,
)
VIEWERS = (PERFETTO, XPROF, UNPACKED, PPROF)
OTHER = "It is a file for its own reader."


def steps(name: str) -> str:
    """How to open a file of that name, as markup."""
    viewer = next((viewer for viewer in VIEWERS if name.endswith(viewer.endings)), None)
    if viewer is None:
        return text(OTHER)
    said = viewer.steps.replace("UNPACKED", name.removesuffix(".gz")).replace("FILE", name).split("`")
    words = "".join(code(part) if number % 2 else text(part) for number, part in enumerate(said))
    about = element("a", text(viewer.address.removeprefix("https://")), href=viewer.address)
    return f"{words} {text('See ')}{about}{text('.')}"
