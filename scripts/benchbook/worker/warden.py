"""The warden: stands above the dispatcher, and when that has ended, however, leaves no process and no folder.

It looks whether anybody still reads the answers, since a dispatcher that was stopped cannot. It does nothing
else, so that nothing but a signal from outside ends it; then the dispatcher tidies up.
"""

import contextlib
import os
import select
import signal
import sys
from types import FrameType
from typing import NoReturn

from benchbook.worker import kin, remark, void
from benchbook.worker.death import named
from benchbook.worker.folder import Folder

ENDS = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
GRACE = 5  # seconds for a dispatcher that was asked to end; the engine waits longer for the warden


def stand(folder: Folder, answers: int) -> None:
    """Forks; returns in the dispatcher only, and the warden ends with its status.

    Args:
        folder: The session's.
        answers: The warden holds it until the dispatcher ends, of which its reader then hears.

    Raises:
        OSError: No process can be started.
    """
    asked = {number for number in ENDS if signal.getsignal(number) is not signal.SIG_IGN}
    signal.pthread_sigmask(signal.SIG_BLOCK, asked)
    kin.adopt()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # who ignores it has no child to wait for
    warden = os.getpid()
    try:
        dispatcher = os.fork()
    except OSError:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, asked)
        raise
    if dispatcher != 0:
        with contextlib.suppress(OSError):  # then it keeps what it has
            void.as_input()
        _forward(asked, dispatcher)
        _watch(dispatcher, folder, answers)
    kin.adopt()
    kin.end_with(warden, signal.SIGTERM)
    for number in asked:
        signal.signal(number, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, asked)


def _leave(number: int, _: FrameType | None) -> NoReturn:
    """In the dispatcher: ends it in order, once."""
    for other in ENDS:
        signal.signal(other, signal.SIG_IGN)
    if remark.is_carried():
        remark.say(f"ended by {named(number)}; what was answered is whole")
    sys.exit(128 + number)


def _forward(asked: set[signal.Signals], dispatcher: int) -> None:
    """Sends on what this process is asked; a dispatcher that does not follow is killed."""

    def send(number: int, _: FrameType | None) -> None:
        _send(dispatcher, number)
        _send(dispatcher, signal.SIGCONT)  # a snippet may have stopped it
        signal.alarm(GRACE)

    for number in asked:
        signal.signal(number, send)
    signal.signal(signal.SIGALRM, lambda *_: _send(dispatcher, signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {*asked, signal.SIGALRM})


def _send(dispatcher: int, number: int) -> None:
    """It may have ended, and been waited for, a moment ago."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(dispatcher, number)


def _watch(dispatcher: int, folder: Folder, answers: int) -> NoReturn:
    """Waits for the dispatcher, ends what is left below it, and then this process as it ended."""
    _await(dispatcher, answers)
    ended = 0
    while ended != dispatcher:  # others are orphans that came here
        ended, raw = os.waitpid(-1, 0)
    os.close(answers)
    for number in (*ENDS, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    kin.end_all()
    folder.remove()
    status = os.waitstatus_to_exitcode(raw)
    os._exit(status if status >= 0 else 128 - status)


def _await(dispatcher: int, answers: int) -> None:
    """Waits for its end; one that goes on although nobody reads its answers is asked to end (Linux)."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError):  # no descriptor is left for it
        end = os.pidfd_open(dispatcher)
        both, one = select.poll(), select.poll()
        both.register(end, select.POLLIN)
        one.register(end, select.POLLIN)
        both.register(answers, 0)  # only that its reader hangs up
        both.poll()
        if not one.poll(GRACE * 1000):
            os.kill(os.getpid(), signal.SIGTERM)
        os.close(end)
