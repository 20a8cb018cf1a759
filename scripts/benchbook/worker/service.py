"""The service: one worker from its start to its end, whatever happens to it."""

import os
import sys

from benchbook.worker import folder, inheritance, kin, machine, remark, void, warden
from benchbook.worker.answers import Answers
from benchbook.worker.dispatch import Dispatcher
from benchbook.worker.folder import Folder
from benchbook.worker.launcher import Launcher
from benchbook.worker.turn import Turn
from benchbook.worker.wire import Plan


def main(plan: Plan, sources: dict[str, str]) -> None:
    """Answers the plan on what was standard output; nothing else can write there.

    Args:
        plan: What to do.
        sources: The worker's modules, for the processes that start cold.
    """
    try:
        _open_input()
        answers = Answers(os.dup(1))
        os.dup2(2, 1)
    except OSError as error:  # a packed program that was started with one of them closed
        sys.exit(f"benchbook: standard output or error is closed: {error.strerror} (give the worker both)")
    # What a snippet does shall not depend on the locale here.
    inheritance.replace(machine.environment(plan["env"]) | {"PYTHONUTF8": "1"})
    done = False
    try:
        answers.write(b"\n")  # ends a banner that did not end its line
        done = _serve(plan, sources, answers)
    except BrokenPipeError:
        pass  # nobody listens
    except OSError as error:
        remark.say(f"the worker cannot go on: {error}")
    sys.exit(not done)  # which a person who runs a packed program sees


def _open_input() -> None:
    """Where standard input is closed, its number would be given to another file."""
    try:
        os.fstat(0)
    except OSError:
        void.as_input()


def _serve(plan: Plan, sources: dict[str, str], answers: Answers) -> bool:
    """Whether every process did all that it was asked for."""
    dispatcher = Dispatcher(plan, answers)
    place = None
    try:
        root = folder.root()
        place = folder.make(root)
        warden.stand(place, answers.descriptor)
    except OSError as error:
        if place is not None:
            place.remove()
        return dispatcher.refuse(folder.complaint(error))
    answers.beat()
    try:
        return _dispatch(plan, sources, place, dispatcher, Turn(root))
    finally:  # here too, for a warden that was killed
        kin.end_all()
        place.remove()
        answers.rest()


def _dispatch(plan: Plan, sources: dict[str, str], place: Folder, dispatcher: Dispatcher, turn: Turn) -> bool:
    keep_out = {dispatcher.answers.descriptor, turn.descriptor} - {-1}
    if not turn.enter(dispatcher.answers, alone=False):  # a start would disturb what another one measures
        return False
    try:
        launcher = Launcher(plan, sources, place, keep_out)
    except OSError as error:
        return dispatcher.refuse(folder.complaint(error))
    return dispatcher.run(launcher, turn)
