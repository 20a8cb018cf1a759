"""A removal: everything in a folder goes, and nothing that a link in it names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

AS_SOMEBODY = """\
import os, sys
from pathlib import Path
from benchbook.worker.removal import remove
os.chdir(sys.argv[1])
os.setgroups([])
os.setgid(54321)
os.setuid(54321)
shut = Path("own/a/b")
shut.mkdir(parents=True)
(shut / "x").write_text("x")
os.symlink("../../kept", shut / "link")
os.symlink("../../kept", "own/a/link")
for path in (shut, shut.parent, shut.parent.parent):
    path.chmod(0)
remove(Path("own"))
os.symlink("kept", "own")
remove(Path("own"))
print(os.listdir("."), oct(os.stat("kept").st_mode))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="becoming an ordinary user needs root")
def test_a_folder_that_an_ordinary_user_shut_is_removed(tmp_path: Path):
    """Without any right to it, and what is in it; a link goes, and what it names stays as it is."""
    (tmp_path / "kept").mkdir(mode=0o500)
    for path in (tmp_path, tmp_path / "kept"):
        os.chown(path, 54321, 54321)
    words = [sys.executable, "-c", AS_SOMEBODY, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "['kept'] 0o40500\n"
