"""Wheels for tests: a jax and a jaxlib of a few bytes, which the real uv installs without a network."""

import base64
import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{more}"
WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: {tag}\n"


def make(
    folder: Path, name: str, version: str, *, tag: str = "py3-none-any", code: str = "", requires: str = ""
) -> None:
    """Writes one wheel: a package that holds ``code``."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-{version}.dist-info"
    more = f"Requires-Dist: {requires}\n" if requires else ""
    files = {
        f"{name}/__init__.py": code or f"__version__ = {version!r}\n",
        f"{name}/data.bin": "x" * 1000,
        f"{info}/METADATA": METADATA.format(name=name, version=version, more=more),
        f"{info}/WHEEL": WHEEL.format(tag=tag),
    }
    with zipfile.ZipFile(folder / f"{name}-{version}-{tag}.whl", "w") as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
        wheel.writestr(f"{info}/RECORD", _record(files, info))


def release(folder: Path, version: str, *, tag: str = "py3-none-any", code: str = "") -> None:
    """Writes a JAX and its jaxlib, which has the tag."""
    make(folder, "jax", version, code=code, requires=f"jaxlib<={version}")
    make(folder, "jaxlib", version, tag=tag)


def settings(folder: Path, cache: Path) -> dict[str, str]:
    """Variables with which uv takes wheels from the folder, and asks nobody else."""
    return {"UV_NO_INDEX": "1", "UV_OFFLINE": "1", "UV_FIND_LINKS": str(folder), "UV_CACHE_DIR": str(cache)}


def _record(files: Mapping[str, str], info: str) -> str:
    def line(path: str, content: str) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content.encode()).digest()).rstrip(b"=").decode()
        return f"{path},sha256={digest},{len(content)}\n"

    return "".join(line(path, content) for path, content in files.items()) + f"{info}/RECORD,,\n"
