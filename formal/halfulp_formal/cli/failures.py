"""What a command refuses, and how whatever goes wrong becomes one line and an exit code."""

from __future__ import annotations

import os
import sys

USAGE, ERROR, INTERRUPTED, CLOSED_PIPE = 2, 4, 130, 141


class Refused(Exception):
    """Something in the command line or in a named file cannot be used; the message is the whole line."""


class Interrupted(Exception):
    """The user stopped a run; the message says what was finished."""


def report(error: BaseException) -> int:
    """Print a failure as one line on stderr and return the exit code."""
    if isinstance(error, BrokenPipeError):
        # whoever read our output has gone; nothing more can be printed there, not even while Python shuts down
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    if isinstance(error, KeyboardInterrupt | Interrupted):
        return complain(str(error) or "interrupted", INTERRUPTED)
    if hasattr(error, "format_message"):  # the usage errors of the command-line library
        return complain(error.format_message(), USAGE)
    if isinstance(error, Refused | OSError) or is_refusal(error):
        return complain(str(error), USAGE)
    return complain(f"internal error: {type(error).__name__}: {error}", ERROR)


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
    """Print one line on stderr and return the code."""
    print(f"halfulp: {' '.join(message.split())}", file=sys.stderr)
    return code
