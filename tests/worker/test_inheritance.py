"""The inheritance: what does not pass is gone, also from where the kernel shows it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """\
import os, sys
from pathlib import Path
os.environ["SET_LATER"] = "s3cret-later"
from benchbook.worker import inheritance
inheritance.replace({"PATH": os.environ["PATH"], "LC_CTYPE": "C.UTF-8", "NEW": "new"})
assert os.environ == {"PATH": os.environ["PATH"], "LC_CTYPE": "C.UTF-8", "NEW": "new"}
os.system("env")
if sys.platform == "linux":
    print(Path("/proc/self/environ").read_bytes())
    if os.fork() == 0:
        print(Path("/proc/self/environ").read_bytes(), Path(f"/proc/{os.getppid()}/environ").read_bytes())
        sys.stdout.flush()
        os._exit(0)
    os.wait()
"""


@pytest.mark.parametrize("own", [{}, {"LC_ALL": "C"}, {"LC_CTYPE": "C.UTF-8"}])
def test_a_variable_that_does_not_pass_is_nowhere(own: dict[str, str]):
    """Not in this process, not in one that it starts or forks, and not where the kernel shows either."""
    scripts = str(Path(__file__).parents[2] / "scripts")
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": scripts, "MY_TOKEN": "s3cret", "EMPTY": "", **own}
    words = [sys.executable, "-c", CODE]
    said = subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout
    assert "NEW=new" in said
    assert "PATH=/" in said.replace(env["PATH"], "/")
    assert sys.platform != "linux" or f"PATH={env['PATH']}" in said.partition("b'")[2]
    assert "s3cret" not in said
    assert "MY_TOKEN" not in said


def test_a_process_with_no_variable_is_given_some():
    """An empty table is no fault."""
    scripts = str(Path(__file__).parents[2] / "scripts")
    code = (
        f"import sys; sys.path.insert(0, {scripts!r}); from benchbook.worker import inheritance;"
        " inheritance.replace({'A': 'b'}); import os; print(os.environ['A'], os.system('test $A = b'))"
    )
    done = subprocess.run([sys.executable, "-c", code], env={}, capture_output=True, text=True, check=True)
    assert done.stdout == "b 0\n"


def test_what_was_set_later_is_left_to_c():
    """Its memory may be another's by then: only what the process was started with is overwritten."""
    if not sys.platform.startswith("linux") or not os.confstr("CS_GNU_LIBC_VERSION"):
        pytest.skip("only of GNU's C library is it known that the memory can still be read")
    code = "import ctypes, os\nfrom benchbook.worker import inheritance\nos.environ['LATER'] = 'value'\n"
    code += "getenv = ctypes.CDLL(None).getenv\ngetenv.restype = ctypes.c_void_p\n"
    code += "place = getenv(b'LATER')\ninheritance.replace({})\n"
    code += "print(getenv(b'LATER'), ctypes.string_at(place))"
    scripts = str(Path(__file__).parents[2] / "scripts")
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, env={"PYTHONPATH": scripts}, capture_output=True, text=True, check=True)
    assert done.stdout == "None b'value'\n"
