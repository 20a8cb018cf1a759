"""The kin: everything below a process is found and ended, however it went away (Linux)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchbook.worker import kin
from tests.processes import left_alive

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

# A process of its own, as the worker is: it ends all that is below it. What it starts says its number.
OURS = """\
import os, subprocess, sys, time
from benchbook.worker import kin
kin.adopt()
DAEMON = '''
import os, sys, time
if {leave} or os.fork() == 0:
    {detach}
    sys.stdout.write(f"{{os.getpid()}}\\\\n")
    sys.stdout.flush()
    time.sleep(600)
'''
def started(leave, detach):
    text = DAEMON.format(leave=leave, detach=detach)
    command = [sys.executable, "-c", text]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    return child, int(child.stdout.readline())
"""


def told(script: str) -> list[int]:
    """The numbers that a process prints that does this."""
    done = subprocess.run([sys.executable, "-c", OURS + script], capture_output=True, text=True, check=True)
    return [int(word) for word in done.stdout.split()]


def test_what_changed_its_session_and_lost_its_parent_is_ended():
    """A daemon made by a double fork, a process that ignores signals, one in a group of its own."""
    script = "numbers = [started(*how)[1] for how in [(False, 'os.setsid()'), (True, 'os.setpgid(0, 0)'),"
    script += "(True, 'import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)')]]\n"
    script += "subprocess.Popen(['true'])\nkin.end_all()\nprint(*numbers, *kin.below(os.getpid()))"
    numbers = told(script.replace("(True, 'os.setpgid(0, 0)')", "(False, 'os.setpgid(0, 0)')"))
    assert len(numbers) == 3
    assert left_alive(numbers, patience=0) == []


def test_of_a_session_only_its_own_are_ended():
    """Another process that runs meanwhile, and what it started, goes on."""
    script = "one, a = started(False, 'pass')\ntwo, b = started(False, 'pass')\none.wait()\n"
    script += "kin.end_session(one.pid)\nprint(a, *kin.below(os.getpid()), 0, b)\n"
    script += "two.wait()\nkin.end_all()"
    gone, *left = told(script)
    assert left.index(0) == 2
    assert gone not in left[:2]
    assert left[-1] in left[:2]
    assert left_alive([gone, *left[:2]], patience=0) == []


def test_without_any_it_returns_at_once():
    """As it does after nearly every process."""
    assert told("kin.end_all()\nkin.end_session(1)\nprint(*kin.below(os.getpid()))") == []
    assert list(kin.below(0)) == []  # which is no process


def test_a_process_whose_parent_has_gone_does_not_begin():
    """It cannot be told of an end that was before."""
    script = "try: kin.end_with(1, 9)\nfinally: print(1)"
    done = subprocess.run([sys.executable, "-c", OURS + script], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")


CHAIN = """\
import os, sys, time
from benchbook.worker import kin
sys.setrecursionlimit(200)
kin.adopt()
if os.fork() == 0:
    for _ in range(250):
        if os.fork():
            break
    time.sleep(600)
while len(list(kin.below(os.getpid()))) < 251:
    time.sleep(0.01)
kin.end_all()
print(list(kin.below(os.getpid())))
"""


def test_a_chain_of_processes_longer_than_a_stack_is_ended():
    """Of as many generations as Python's calls may be deep, none is left, and no error."""
    env = {**os.environ, "PYTHONPATH": str(Path(kin.__file__).parents[2])}
    words = [sys.executable, "-c", CHAIN]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
