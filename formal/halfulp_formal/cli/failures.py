"""What a command refuses, and how whatever goes wrong becomes one line and an exit code."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

USAGE, ERROR, CLOSED_PIPE = 2, 4, 141

#: seconds, or GiB, at most
MOST = 1_000_000

#: what the system says of a stream that takes no more: a full device, a limit, a fault, a stream that is none
UNWRITTEN = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO, errno.EBADF)

#: what an exit code adds to the number of the signal that ended a run
SIGNALLED = 128


class Refused(Exception):
    """Something in the command line or in a named file cannot be used; the message is the whole line."""


def check_amount(option: str, amount: float, unit: str) -> None:
    """Refuse an amount that is no positive number, or more than solvers and the system can be told."""
    if not 0 < amount <= MOST:
        raise Refused(f"{option} {amount:g}: expected a number of {unit} above 0, at most {MOST:,}")


class Interrupted(Exception):
    """The user stopped a run; the message says what was finished. `number` is the signal's."""

    def __init__(self, message: str, number: int = signal.SIGINT) -> None:
        super().__init__(message)
        self.number = number


class Ended(KeyboardInterrupt):
    """Somebody ended a run by a signal that is no interrupt from the keyboard."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def orderly_end() -> Iterator[None]:
    """Let signals that would end this process at once end it as an interrupt does, so that it leaves nothing behind."""

    def end(number: int, _frame: Any) -> None:
        raise Ended(number)

    before = {
        number: signal.signal(number, end)
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is signal.SIG_DFL  # `nohup` is heeded
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def report(error: BaseException) -> int:
    """Print a failure as one line on stderr and return the exit code."""
    if isinstance(error, BrokenPipeError):
        abandon_stdout()  # whoever read our output has gone
        return CLOSED_PIPE
    if isinstance(error, OSError) and error.filename is None and error.errno in UNWRITTEN:
        abandon_stdout()  # a failure to write a file names the file
        return complain(f"cannot write to stdout: {error.strerror}", USAGE)
    if isinstance(error, KeyboardInterrupt | Interrupted):
        return complain(str(error) or stopped(error), SIGNALLED + number_of(error))
    if hasattr(error, "format_message"):  # the usage errors of the command-line library
        # it says nothing where it has printed the help, which names the commands
        return complain(error.format_message() or "no command: expected one of those above", USAGE)
    if isinstance(error, Refused | OSError) or is_refusal(error):
        return complain(str(error), USAGE)
    return complain(f"internal error: {type(error).__name__}: {error}", ERROR)


def abandon_stdout() -> None:
    """Let nothing more be printed to stdout, not even while Python shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def number_of(error: BaseException) -> int:
    """Return the number of the signal that stopped a run."""
    return error.number if isinstance(error, Interrupted | Ended) else signal.SIGINT


def stopped(error: BaseException) -> str:
    """Return in a word or two how a run was stopped."""
    return f"ended by {signal.Signals(error.number).name}" if isinstance(error, Ended) else "interrupted"


def is_refusal(error: BaseException) -> bool:
    """Tell whether an exception says that what was asked for is unknown, malformed, illegal or not installed."""
    from halfulp_formal.amend.functions import AmendmentError
    from halfulp_formal.catalogue import UnknownName
    from halfulp_formal.explain import FieldError, UnknownConversion
    from halfulp_formal.solvers import MissingSolver
    from halfulp_model import Rejected, RuleError

    return isinstance(
        error, AmendmentError | UnknownName | UnknownConversion | FieldError | MissingSolver | Rejected | RuleError
    )


def complain(message: str, code: int) -> int:
    """Print one line on stderr and return the code, even if stderr takes nothing."""
    with suppress(OSError):
        print(f"halfulp: {' '.join(message.split())}", file=sys.stderr)
    return code
