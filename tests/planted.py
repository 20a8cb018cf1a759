"""A world full of secrets: a home, a host, a user, variables and files, each with a token, and a project."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchbook.project import Project
from tests import tokens
from tests.built import BIN, PROJECT
from tests.factory import make_project

VARIABLES = {
    "AWS_SECRET_ACCESS_KEY": "{}",
    "GITHUB_TOKEN": "ghp_{}",
    "HF_TOKEN": "hf_{}",
    "WANDB_API_KEY": "{}",
    "PIP_INDEX_URL": "http://user:{}@127.0.0.1:9/simple",
    "UV_INDEX_URL": "http://user:{}@127.0.0.1:9/simple",
    "HTTP_PROXY": "http://user:{}@127.0.0.1:9",
    "HTTPS_PROXY": "http://user:{}@127.0.0.1:9",
    "SSH_AUTH_SOCK": "/run/{}/agent",
    "KAGGLE_KEY": "{}",
    "GOOGLE_APPLICATION_CREDENTIALS": "/srv/{}.json",
    "SLURM_JOB_USER": "{}",
    "TPU_API_TOKEN": "{}",
    "CUDA_SECRET": "{}",
    "LC_TICKET": "{}",
    "XLA_FLAGS": "--xla_dump_to=/Users/{}/dump",
    "JAX_COMPILATION_CACHE_DIR": "/Users/{}/cache",
    "GIT_AUTHOR_EMAIL": "{}@example.org",
    "GIT_AUTHOR_NAME": "{}",
    "LOGNAME": "{}",
    "USER": "{}",
    "PATH_OF_MINE": "{}",
}
PASSED = {"TPU_NAME": "a-chip", "CUDA_DEVICE_ORDER": "PCI_BUS_ID", "TZ": "UTC"}  # that hold none
QUIET = {"NO_MKDOCS_2_WARNING": "1", "UV_HTTP_RETRIES": "0"}  # an index that does not answer is asked once
FILES = {
    ".netrc": "machine example.org login me password {}\n",
    ".aws/credentials": "[default]\naws_secret_access_key = {}\n",
    ".ssh/id_ed25519": "-----BEGIN OPENSSH PRIVATE KEY-----\n{}\n",
    ".git-credentials": "https://me:{}@example.org\n",
    ".gitconfig": "[user]\n    name = {0}\n    email = {0}@example.org\n",
    ".config/pip/pip.conf": "[global]\nindex-url = https://me:{}@127.0.0.1:9/simple\n",
    "project/.git/config": '[remote "origin"]\n    url = https://me:{}@example.org/measured\n',
    "lib/troubled.py": (
        "# {}\nimport warnings\n\n\ndef warn():\n    warnings.warn('of below home')\n\n\n"
        "def fail():\n    warn()\n    raise ValueError('of below home')\n"
    ),
}
PLACES = ["home", "host", "command", "key", "device", *VARIABLES, *FILES]
BACKENDS = """
[tool.benchbook.backends.there]
platform = "cpu"
device-kind = "cpu"
count = 1
command = ["ssh", "-i", "/srv/keys/{key}", "{command}.example.org", {python!r}]
env = {{ JAX_DUMP_IR_TO = "/Users/{device}/ir", XLA_FLAGS = "--xla_cpu_enable_fast_math=false" }}
[tool.benchbook.backends.broken]
platform = "cpu"
env = {{ PYTHONPATH = "{fake}" }}
"""
FAKE = """\
import os
from pathlib import Path
own = Path("/proc/self/environ")
entries = own.read_bytes().split(b"\\0") if own.exists() else []
shown = [entry.partition(b"=")[0].decode() for entry in entries]
raise RuntimeError(" ".join(sorted({*os.environ, *shown} - {""})))
"""
SSH = '#!/bin/sh\nshift 3\nexec "$@"\n'
NAMED = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"']  # on a host of another name


def _can_be_named() -> bool:
    """Whether a process of this user may run on a host of another name (Linux, root)."""
    try:
        return subprocess.run([*NAMED, "some-host", "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@dataclass(slots=True)
class World:
    """The project, and every word that its commands said.

    Attributes:
        root: The folder above everything.
        known: The tokens by their place.
        project: It lies below the home.
        said: What each command said, without the project's folder: a person's terminal may show that.
        status: The status that it ended with.
    """

    root: Path
    known: dict[str, str]
    project: Project
    said: dict[str, str] = field(default_factory=dict)
    status: dict[str, int] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """The home, which lies in a folder that is a token."""
        return self.root / "Users" / self.known["home"]

    @property
    def temporary(self) -> Path:
        """The folder of temporary files, below the home as on many clusters."""
        return self.home / "tmp"

    @property
    def environment(self) -> dict[str, str]:
        """Every variable that is planted, and what no command can do without."""
        kept = {name: os.environ[name] for name in ("LANG", "PYTHONPATH") if name in os.environ}
        planted = {name: form.format(self.known[name]) for name, form in VARIABLES.items()}
        path = os.pathsep.join([str(self.home / "bin"), os.environ["PATH"]])
        folders = {"HOME": str(self.home), "TMPDIR": str(self.temporary), "PATH": path}
        return kept | planted | PASSED | folders | QUIET

    def run(
        self, name: str, *words: str | Path, folder: Path | None = None, into: Path | None = None
    ) -> None:
        """Runs a command in this world, and keeps what it said."""
        host = [*NAMED, self.known["host"]] if "host" in self.known else []
        done = subprocess.run(
            [*host, *map(str, words)],
            cwd=folder or self.project.root,
            env=self.environment,
            capture_output=True,
            check=False,
        )
        if into is not None:
            into.write_bytes(done.stdout)
        said = (done.stdout if into is None else b"").decode() + done.stderr.decode()
        self.said[name] = said.replace(str(self.project.root), "PROJECT")
        self.status[name] = done.returncode

    def benchbook(self, name: str, *words: str | Path) -> None:
        """Runs `benchbook`."""
        self.run(name, BIN / "benchbook", *words)


def make(root: Path, snippets: dict[str, str], pages: Sequence[str]) -> World:
    """Plants a token everywhere, and a project whose site has these pages."""
    known = tokens.made(PLACES, seed=8)
    if not _can_be_named():
        del known["host"]
    home = root / "Users" / known["home"]
    for name, text in FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text.format(known[name]))
    for folder in ("bin", "tmp", "seen"):
        (home / folder).mkdir()
    (home / "bin/ssh").write_text(SSH)
    (home / "bin/ssh").chmod(0o755)
    project = make_project(home / "project", snippets)
    fake = root / "fake"
    fake.mkdir()
    (fake / "jax.py").write_text(FAKE)  # which says what the probe finds
    settings = BACKENDS.format(
        **{name: known[name] for name in ("key", "command", "device")}, python=sys.executable, fake=fake
    )
    with (project.root / "pyproject.toml").open("a") as file:
        file.write(settings)
    _site(project, pages)
    return World(root, known, project)


def _site(project: Project, pages: Sequence[str]) -> None:
    """The site's own settings and theme, and a page of each lesson."""
    root = PROJECT.root
    shutil.copytree(root / "docs/assets", project.root / "docs/assets")
    shutil.copytree(root / "scripts/theme", project.root / "scripts/theme")
    settings = (root / "mkdocs.yml").read_text()
    nav = "nav:\n  - Home: index.md\n  - Lessons:\n" + "".join(f"      - {slug}.md\n" for slug in pages)
    settings = re.sub(r"(?ms)^nav:\n.*?\n\n", f"{nav}\n", settings).partition("\nwatch:\n")[0]
    (project.root / "mkdocs.yml").write_text(settings)
    shutil.copy(root / "CITATION.cff", project.root)
    (project.root / "docs/index.md").write_text("---\ntitle: Home\ndescription: A site.\n---\n\n# Home\n")
    for order, slug in enumerate(pages):
        head = f"title: {slug}\ndescription: A lesson.\nchapter: {slug.partition('/')[0]}\norder: {order}\n"
        path = project.page_path(slug)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"---\n{head}minutes: 1\n---\n\n# {slug}\n\n/// cell | {slug}\n///\n\n/// output | {slug}\n///\n"
        )
