import os
import signal
import time

import pytest

from formal.processes import gone
from halfulp_formal.replay import conversation
from halfulp_formal.replay.conversation import CannotStart, Limits, Reason, converse
from halfulp_formal.replay.report import failure_lines
from halfulp_formal.replay.wire import JsonWire
from halfulp_formal.vectors.family import Field
from halfulp_formal.vectors.reading import Line

RIGHT = {1: (1, 0), 2: (2, 0), 3: (255, 0), 4: (0, 0x14), 5: (8, 0)}


def failure(judged):
    """Reason, text, the case it happened on and how many were answered."""
    assert judged.failure is not None
    case = judged.failure.case
    return judged.failure.reason, judged.failure.text, case and case.tc, len(judged.outcome.answers)


def test_an_answer_that_is_none_is_told_of_the_case_that_it_names(made_up, program):
    garbage = '{"id": 4, "out": ["xx", "00"]}'
    judged = made_up.run(program(f"for line in sys.stdin: answer(line); print({garbage!r}, flush=True)"))
    text = f"printed {garbage!r}, which is no answer: result: given xx, expected 2 hex digits"
    assert failure(judged) == (Reason.GARBAGE, text, 4, 1)
    lines = failure_lines(judged, judged.failure)
    assert lines[1] == "  answered  1 of 5; it went wrong on case 4, sum/over"
    known = garbage.replace("4", "1")
    judged = made_up.run(program(f"for line in sys.stdin: answer(line); print({known!r}, flush=True)"))
    assert failure(judged)[2:] == (2, 1)
    assert failure_lines(judged, judged.failure)[1].startswith(
        "  answered  1 of 5; the first without an answer is case 2"
    )


@pytest.mark.parametrize("window", [0, 1, 2, 5, 99])
def test_answers_in_order(made_up, program, window):
    judged = made_up.run(program("for line in sys.stdin: answer(line)"), window=window)
    assert (judged.outcome.answers, judged.failure, judged.mismatches) == (RIGHT, None, [])


def test_answers_in_any_order(made_up, program):
    judged = made_up.run(program("for line in reversed(sys.stdin.readlines()): answer(line)"))
    assert (judged.outcome.answers, judged.failure) == (RIGHT, None)


def test_answers_in_any_order_within_a_window(made_up, program):
    source = """
lines = sys.stdin
while pair := [line for line in (lines.readline(), lines.readline()) if line]:
    for line in reversed(pair): answer(line)
"""
    judged = made_up.run(program(source), window=2)
    assert (judged.outcome.answers, judged.failure) == (RIGHT, None)


def test_the_window_is_kept(made_up, program):
    source = """
text = os.read(0, 9999) + (os.read(0, 9999) if select.select([0], [], [], 0.3)[0] else b"")
for line in text.decode().splitlines(): answer(line)
os._exit(text.count(b"\\n"))
"""
    judged = made_up.run(program(source), window=2)
    assert failure(judged) == (Reason.DIED, "ended with exit code 2", 3, 2)


def test_output_that_is_flushed_only_at_the_end(made_up, program):
    source = "out = ''.join(sys.stdin)\nfor line in out.splitlines(): answer(line)"
    assert made_up.run(program(source)).failure is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("time.sleep(60)", (Reason.HUNG, "gave no answer within 0.3 s", 1, 0)),
        ("answer(input()); time.sleep(60)", (Reason.HUNG, "gave no answer within 0.3 s", 2, 1)),
        (
            "for line in sys.stdin: answer(line)\ntime.sleep(60)",
            (Reason.HUNG, "closed its output and did not end", None, 5),
        ),
        ("os.close(1); time.sleep(60)", (Reason.STOPPED, "closed its output and did not end", 1, 0)),
        ("signal.signal(15, signal.SIG_IGN); time.sleep(60)", (Reason.HUNG, "gave no answer within 0.3 s", 1, 0)),
        ("print('{', end='', flush=True); time.sleep(60)", (Reason.HUNG, "gave no answer within 0.3 s", 1, 0)),
    ],
)
def test_hangs(made_up, program, source, expected):
    if expected[2] is None:
        source = source.replace("\ntime", "\nos.close(1); time")
    assert failure(made_up.run(program(source), case=0.3)) == expected


def test_hangs_after_its_last_answer(made_up, program):
    judged = made_up.run(program("for line in sys.stdin: answer(line)\ntime.sleep(60)"), case=0.3)
    assert failure(judged) == (Reason.HUNG, "did not end after its last answer", None, 5)


def test_a_file_takes_too_long(made_up, program):
    source = "for line in sys.stdin: time.sleep(0.15); answer(line)"
    reason, text, _, answered = failure(made_up.run(program(source), file=0.4))
    assert (reason, text) == (Reason.HUNG, "did not answer every case within 0.4 s")
    assert answered < 5


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("sys.exit(3)", (Reason.DIED, "ended with exit code 3", 1, 0)),
        ("answer(input()); answer(input()); sys.exit(3)", (Reason.DIED, "ended with exit code 3", 3, 2)),
        ("answer(input()); os.kill(os.getpid(), 9)", (Reason.DIED, "was ended by SIGKILL", 2, 1)),
        ("answer(input()); os.kill(os.getpid(), 34)", (Reason.DIED, "was ended by SIGRTMIN", 2, 1)),
        ("answer(input()); os.kill(os.getpid(), 35)", (Reason.DIED, "was ended by signal 35", 2, 1)),
        ("answer(input())", (Reason.STOPPED, "ended with exit code 0", 2, 1)),
        (
            "for line in sys.stdin: answer(line)\nsys.exit(1)",
            (Reason.DIED, "ended with exit code 1 after its last answer", None, 5),
        ),
        (
            "print('hello'); answer(input())",
            (Reason.GARBAGE, "printed 'hello', which is no answer: expected one JSON object", 1, 0),
        ),
        (
            "print(); answer(input())",
            (Reason.GARBAGE, "printed '', which is no answer: expected one JSON object", 1, 0),
        ),
        (
            "sys.stdout.buffer.write(b'\\xff\\n')",
            (Reason.GARBAGE, "printed '\\\\xff', which is no answer: expected one JSON object", 1, 0),
        ),
        (
            "answer(input()); print('{\"id\": 2', end='')",
            (Reason.GARBAGE, "ended with exit code 0 in the middle of a line, '{\"id\": 2'", 2, 1),
        ),
        (
            "sys.stdout.write('x' * 70000); sys.stdout.flush(); time.sleep(60)",
            (Reason.GARBAGE, "printed 65,537 bytes without a line end", 1, 0),
        ),
        (
            "for line in sys.stdin: answer(line)\nprint('done')",
            (Reason.GARBAGE, "printed 'done', which is no answer: expected one JSON object", None, 5),
        ),
        ("line = input(); answer(line); answer(line)", (Reason.REPEATED_ID, "answered case 1 twice", 2, 1)),
        (
            "answer(input().replace('\"id\": 1', '\"id\": 6'))",
            (Reason.UNKNOWN_ID, "answered case 6, which it was not asked", 1, 0),
        ),
        (
            "answer(input().replace('\"id\": 1', '\"id\": 0'))",
            (Reason.UNKNOWN_ID, "answered case 0, which it was not asked", 1, 0),
        ),
    ],
)
def test_no_run_at_all(made_up, program, source, expected):
    reason, text, case, answered = failure(made_up.run(program(source)))
    if "bytes without" in text:
        text = expected[1]
    assert (reason, text, case, answered) == expected


def test_a_case_that_the_window_does_not_hold_yet(made_up, program):
    judged = made_up.run(program("answer(input().replace('\"id\": 1', '\"id\": 3'))"), window=2)
    assert failure(judged) == (Reason.UNKNOWN_ID, "answered case 3, which it was not asked", 1, 0)


def test_ended_while_another_process_holds_its_output(made_up):
    began = time.monotonic()
    judged = made_up.run(["sh", "-c", "sleep 60 & exit 3"], case=0.3)
    assert failure(judged) == (Reason.DIED, "ended with exit code 3", 1, 0)
    assert time.monotonic() - began < 30


def test_nothing_is_left_of_a_command_that_hangs(made_up, tmp_path):
    note = tmp_path / "pid"
    made_up.run(["sh", "-c", f"sleep 60 & echo $! > {note}; wait"], case=0.3)
    assert gone(int(note.read_text()))


def test_an_interrupt_ends_the_command(made_up, program, tmp_path):
    note = tmp_path / "pid"
    source = f"open({str(note)!r}, 'w').write(str(os.getpid())); os.kill(os.getppid(), 2); time.sleep(60)"
    with pytest.raises(KeyboardInterrupt):
        made_up.run(program(source))
    assert gone(int(note.read_text()))


def test_an_interrupt_while_a_command_starts_ends_it_too(made_up, program, monkeypatch):
    begun = []

    def start(command):
        begun.append(plain_start(command))
        os.kill(os.getpid(), signal.SIGINT)
        return begun[0]

    plain_start = conversation.start
    monkeypatch.setattr(conversation, "start", start)
    with pytest.raises(KeyboardInterrupt):
        made_up.run(program("time.sleep(60)"))
    assert gone(begun[0].pid)


WIDE = 4096 * 8


def wide(command):
    """Run a command over cases whose requests and answers are far more than a pipe holds."""
    field = Field("a", "wide", WIDE)
    cases = [
        Line(number + 1, number, "a/b", (number << WIDE - 12,), (number << WIDE - 12,), "") for number in range(1, 200)
    ]
    return cases, converse(command, cases, JsonWire([field], [field]), Limits(case=20))


@pytest.mark.parametrize(
    "source",
    [
        "for line in sys.stdin: sys.stdout.write(line.replace('in', 'out'))",
        "text = sys.stdin.read()\nsys.stdout.write(text.replace('in', 'out'))",
        "for n in range(1, 200): print(json.dumps({'id': n, 'out': ['%08192x' % (n << 32756)]}))\nsys.stdin.read()",
        "for n in range(1, 200): print(json.dumps({'id': n, 'out': ['%08192x' % (n << 32756)]}))\nos.close(0)",
    ],
)
def test_no_deadlock_when_pipes_are_full(program, source):
    cases, outcome = wide(program(source))
    assert outcome.failure is None
    assert outcome.answers == {case.tc: case.outputs for case in cases}


def test_a_command_that_does_not_read_while_we_write(program):
    _, outcome = wide(program("answer = sys.stdin.readline(); sys.exit(7)"))
    assert outcome.failure is not None
    assert (outcome.failure.reason, outcome.failure.text) == (Reason.DIED, "ended with exit code 7")


def test_cannot_start(made_up, tmp_path):
    with pytest.raises(CannotStart, match=r"^cannot start \./nothing: No such file or directory$"):
        made_up.run(["./nothing"])
    with pytest.raises(CannotStart, match=rf"^cannot start {tmp_path}: Permission denied$"):
        made_up.run([str(tmp_path)])
    with pytest.raises(CannotStart, match=r"^cannot start a: embedded null byte$"):
        made_up.run(["a", "\0"])
