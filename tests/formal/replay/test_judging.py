import pytest

from halfulp_formal.replay.conversation import Limits
from halfulp_formal.replay.judging import BadFile, Count, exit_code, read_files, replay, total

ADDING = "for line in sys.stdin: answer(line)"
WRONG = ADDING.replace("line)", "line.replace('fe', '00').replace('ff', '01'))")


def test_mismatches_are_in_the_order_of_the_file(made_up, program):
    judged = made_up.run(program(WRONG.replace("sys.stdin", "reversed(sys.stdin.readlines())")))
    assert [(each.case.tc, each.case.outputs, each.got) for each in judged.mismatches] == [
        (3, (255, 0), (1, 0)),
        (4, (0, 0x14), (2, 0)),
    ]
    assert judged.failure is None
    assert exit_code([judged]) == 1


def test_flags_count_as_much_as_results(made_up, program):
    judged = made_up.run(program(ADDING, before=program("")[-1].replace('"14"', '"10"')))
    assert [(each.case.tc, each.got) for each in judged.mismatches] == [(4, (0, 0x10))]


def test_counts_by_class(made_up, program):
    judged = made_up.run(program("for line in list(sys.stdin)[1:]: answer(line.replace('ff', '01'))"))
    assert judged.count() == {"sum/fits": Count(4, 3, 0), "sum/over": Count(1, 0, 1)}
    assert judged.count()["sum/fits"].unanswered == 1
    assert total([judged, judged]) == {"sum/fits": Count(8, 6, 0), "sum/over": Count(2, 0, 2)}


def test_the_exit_code_of_a_failure_goes_before_that_of_a_mismatch(made_up, program):
    right, wrong = made_up.run(program(ADDING)), made_up.run(program(WRONG))
    failed = made_up.run(program(f"{ADDING}\nsys.exit(1)"))
    assert [exit_code(each) for each in ([right], [right, wrong], [wrong, failed], [right, failed])] == [0, 1, 4, 4]


def test_answers_of_a_run_that_failed_are_judged(made_up, program):
    judged = made_up.run(program("answer(input()); answer(input()); answer(input().replace('fe', '00'))"))
    assert [each.case.tc for each in judged.mismatches] == [3]
    assert exit_code([judged]) == 4


def test_text_in_order(made_up, program):
    source = """
for line in sys.stdin:
    value = int(line, 16)
    print("%02x" % (value + 1 & 255), "05" if value == 255 else "00")
"""
    judged = made_up.run(program(source), fmt="testfloat")
    assert (judged.failure, judged.mismatches, len(judged.outcome.answers)) == (None, [], 5)
    judged = made_up.run(program(source.replace("05", "14")), fmt="testfloat")
    assert [(each.case.tc, each.got) for each in judged.mismatches] == [(4, (0, 0x05))]


def test_more_lines_of_text_than_cases(made_up, program):
    judged = made_up.run(program("for n in range(6): print('00 00')\nsys.stdin.read()"), fmt="testfloat")
    assert judged.failure is not None
    assert judged.failure.text == "printed '00 00' after its answer to the last case"
    assert exit_code([judged]) == 4


def test_the_conversion_stands_in_the_command(made_up, program):
    source = f"assert sys.argv[1:] == ['+made.up.x', 'y']\n{ADDING}"
    assert made_up.run([*program(source), "+{conversion}.x", "y"]).failure is None


def test_a_file_given_twice_is_read_once(made_up, program):
    first, second = read_files([made_up.write(), made_up.path])
    assert first is second
    assert exit_code([replay(file, program(ADDING), "jsonl", Limits()) for file in (first, second)]) == 0


def test_files_that_cannot_be_replayed(made_up):
    def message():
        with pytest.raises(BadFile) as caught:
            read_files([made_up.path])
        return str(caught.value).removeprefix(f"{made_up.path}:")

    assert message() == "1: file: given No such file or directory, expected a readable file"
    made_up.write(count=4)
    assert message() == "6: count: given 5 cases, expected 4, as the header says"
    made_up.write(schema="halfulp-vectors/2")
    assert message() == '1: schema: given "halfulp-vectors/2", expected halfulp-vectors/1'
    made_up.values = (0, 0, 1, 1)
    made_up.write()
    assert message() == "3: in: given the inputs of line 2 again, expected a new case of the class (1 more)"
    made_up.values = ()
    made_up.write()
    assert message() == "1: count: given no case, expected at least one to replay"
