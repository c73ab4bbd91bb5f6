"""One run of a command over the cases of one file: requests in, answers out, no deadlock, and an end in any case."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum

from halfulp_formal.replay.wire import NoAnswer, Wire
from halfulp_formal.vectors.reading import Line, short

CHUNK = 1 << 16

#: bytes without a line end that are no longer taken for the beginning of an answer
LONGEST_LINE = 1 << 16

#: seconds that a command has to end after it was asked to, before it is ended
GRACE = 0.5


class CannotStart(Exception):
    """The command is no program that can be started."""


class Reason(Enum):
    """Why a run of a command is no run at all, whatever it answered."""

    DIED = "died"
    STOPPED = "stopped early"
    HUNG = "hung"
    GARBAGE = "garbage"
    UNKNOWN_ID = "unknown id"
    REPEATED_ID = "repeated id"


@dataclass(frozen=True)
class Limits:
    """case: seconds without an answer; file: seconds in all; window: cases asked for and not answered, 0 for all."""

    case: float = 10.0
    file: float = 600.0
    window: int = 0


@dataclass(frozen=True)
class Failure:
    """What went wrong with a run, in one clause that follows "the command".

    case: the one that it went wrong on, which is the first one not answered unless the command has named another.
    """

    reason: Reason
    text: str
    case: Line | None


@dataclass
class Outcome:
    """What came of a run: outputs by case number, and the failure that ended it if any."""

    answers: dict[int, tuple[int, ...]] = field(default_factory=dict)
    failure: Failure | None = None
    seconds: float = 0.0


class Broken(Exception):
    """Ends a conversation; `number` is that of the case that the command has named if it has named one."""

    def __init__(self, reason: Reason, text: str, number: int | None = None) -> None:
        super().__init__(text)
        self.reason, self.text, self.number = reason, text, number


def converse(command: Sequence[str], cases: Sequence[Line], wire: Wire, limits: Limits) -> Outcome:
    """Run a command over cases, which are numbered from 1 in their order. Its stderr is ours.

    Raises CannotStart. Whatever ends this early, an interrupt too, ends the command and its whole process group.
    """
    begun = time.monotonic()
    outcome = Outcome()
    process = None
    try:
        with signals_held_back():
            process = start(command)
        Conversation(process, cases, wire, limits, outcome.answers).hold()
    except Broken as broken:
        open_cases = [case for case in cases if case.tc not in outcome.answers]
        waiting = next((case for case in open_cases if case.tc == broken.number), next(iter(open_cases), None))
        outcome.failure = Failure(broken.reason, broken.text, waiting)
    finally:
        if process is not None:
            end(process)
    outcome.seconds = time.monotonic() - begun
    return outcome


def start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a command in a process group of its own. Raises CannotStart."""
    try:
        return subprocess.Popen(  # noqa: S603  # running the user's command is what is asked for
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
        )
    except (OSError, ValueError) as error:
        raise CannotStart(f"cannot start {command[0]}: {getattr(error, 'strerror', None) or error}") from error


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Keep signals that raise an exception until the end, so that a process that was just started is known by then."""
    heard: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    main = threading.current_thread() is threading.main_thread()  # no other thread hears signals
    before = {number: signal.getsignal(number) for number in numbers if main and callable(signal.getsignal(number))}
    for number in before:
        signal.signal(number, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for caught in heard:
            signal.raise_signal(caught)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a command that still runs, with all that it started, and close its pipes."""
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()
    gone = suppress(ProcessLookupError, PermissionError)
    try:
        if process.poll() is None:
            with gone:
                os.killpg(process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
    finally:
        with gone:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class Conversation:
    """Requests and answers in turn, as the command takes and gives them."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        cases: Sequence[Line],
        wire: Wire,
        limits: Limits,
        answers: dict[int, tuple[int, ...]],
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.cases, self.wire, self.limits, self.answers = process, cases, wire, limits, answers
        self.asked = 0
        self.buffer = memoryview(b"")
        self.rest = b""
        self.stdin, self.stdout = process.stdin, process.stdout
        self.writes = False
        now = time.monotonic()
        #: when the last answers came, and when the file's time is up
        self.heard = now
        self.last = now + limits.file

    def hold(self) -> None:
        """Ask and listen until the command has answered everything and ended well. Raises Broken."""
        os.set_blocking(self.stdin.fileno(), False)
        with selectors.DefaultSelector() as selector:
            selector.register(self.stdout, selectors.EVENT_READ)
            self.refill(selector)
            listening = True
            while listening:
                for key, _ in selector.select(max(self.seconds_left(), 0)):
                    if key.fileobj is self.stdin:
                        self.write(selector)
                    else:
                        listening = self.read()
                if listening:
                    self.check_time()
                    self.refill(selector)
        self.check_end()

    def refill(self, selector: selectors.BaseSelector) -> None:
        """Put into the buffer what the window has room for; close the command's input after the last case."""
        if not self.buffer and self.asked < len(self.cases):
            window = self.limits.window or len(self.cases)
            until = min(len(self.answers) + window, len(self.cases))
            if until > self.asked:
                self.buffer = memoryview(b"".join(map(self.wire.request, self.cases[self.asked : until])))
                self.asked = until
        if bool(self.buffer) != self.writes:
            self.writes = not self.writes
            if self.writes:
                selector.register(self.stdin, selectors.EVENT_WRITE)
            else:
                selector.unregister(self.stdin)
        if not self.buffer and self.asked == len(self.cases) and not self.stdin.closed:
            self.stdin.close()

    def write(self, selector: selectors.BaseSelector) -> None:
        """Write as much as the pipe takes; a command that no longer reads may still answer what it has read."""
        try:
            self.buffer = self.buffer[os.write(self.stdin.fileno(), self.buffer) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            selector.unregister(self.stdin)
            self.stdin.close()
            self.writes, self.asked, self.buffer = False, len(self.cases), memoryview(b"")

    def read(self) -> bool:
        """Take what the command has printed; False at the end of its output. Raises Broken."""
        chunk = os.read(self.stdout.fileno(), CHUNK)
        if not chunk:
            return False
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            self.take(line)
        if lines:
            self.heard = time.monotonic()
        if len(self.rest) > LONGEST_LINE:
            raise Broken(Reason.GARBAGE, f"printed {len(self.rest):,} bytes without a line end")
        return True

    def take(self, line: bytes) -> None:
        """Take one line for an answer. Raises Broken."""
        text = line.decode("utf-8", errors="backslashreplace").strip()
        try:
            number, outputs = self.wire.answer(text)
        except NoAnswer as error:
            told = f"printed {short(text)!r}, which is no answer: {error}"
            raise Broken(Reason.GARBAGE, told, error.number) from error
        if number is None:
            number = len(self.answers) + 1
            if number > len(self.cases):
                raise Broken(Reason.GARBAGE, f"printed {short(text)!r} after its answer to the last case")
        if number in self.answers:
            raise Broken(Reason.REPEATED_ID, f"answered case {number} twice")
        if not 1 <= number <= self.asked:
            raise Broken(Reason.UNKNOWN_ID, f"answered case {number}, which it was not asked")
        self.answers[number] = outputs

    def seconds_left(self) -> float:
        """Return how long the next answer, or the end of the output, may still take."""
        return min(self.heard + self.limits.case, self.last) - time.monotonic()

    def check_time(self) -> None:
        """Raise Broken if a limit is reached; a command that has ended while others hold its output open has died."""
        if self.seconds_left() > 0:
            return
        if self.everything:
            raise Broken(Reason.HUNG, "did not end after its last answer")
        if self.process.poll() is not None:
            self.check_end()
        if time.monotonic() >= self.last:
            raise Broken(Reason.HUNG, f"did not answer every case within {self.limits.file:g} s")
        raise Broken(Reason.HUNG, f"gave no answer within {self.limits.case:g} s")

    @property
    def everything(self) -> bool:
        """Whether every case is answered."""
        return len(self.answers) == len(self.cases)

    def check_end(self) -> None:
        """Return if the command has answered everything and ends with exit code 0, else raise Broken."""
        try:
            code = self.process.wait(max(self.seconds_left(), 0))
        except subprocess.TimeoutExpired:
            reason = Reason.HUNG if self.everything else Reason.STOPPED
            raise Broken(reason, "closed its output and did not end") from None
        if self.rest:
            text = short(self.rest.decode("utf-8", errors="backslashreplace"))
            raise Broken(Reason.GARBAGE, f"{ending(code)} in the middle of a line, {text!r}")
        if code:
            raise Broken(Reason.DIED, ending(code) + (" after its last answer" if self.everything else ""))
        if not self.everything:
            raise Broken(Reason.STOPPED, ending(code))


def ending(code: int) -> str:
    """Return how a process ended, by its exit code or the negative number of a signal."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
