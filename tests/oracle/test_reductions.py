from oracle.reductions import group_max, row_max, step

ONE, TWO, MINUS_TWO, INFINITY = 0x3F800000, 0x40000000, 0xC0000000, 0x7F800000
QUIET, SIGNALLING = 0x7FC00000, 0x7F800001
MINIMUM = 0xFFFFFFFF80000000


def test_integer_steps() -> None:
    assert step(3, 7, False, "S32") == (7, 0)
    assert step(0xFFFFFFFFFFFFFFFD, 2, False, "S32") == (2, 0)
    assert step(0xFFFFFFFD, 2, False, "U32") == (0xFFFFFFFD, 0)
    assert step(0xFFFFFFFFFFFFFFFD, 2, True, "S32") == (3, 0)
    assert step(MINIMUM, MINIMUM, True, "S32") == (0x7FFFFFFF, 0x04)
    assert step(1, MINIMUM, True, "S32") == (0x7FFFFFFF, 0x04)
    assert step(1, MINIMUM, False, "S32") == (1, 0)


def test_floating_steps() -> None:
    assert step(ONE, TWO, False, "FP32") == (TWO, 0)
    assert step(MINUS_TWO, 0xBF800000, False, "FP32") == (0xBF800000, 0)
    assert step(MINUS_TWO, ONE, True, "FP32") == (TWO, 0)
    assert step(ONE, INFINITY, False, "FP32") == (INFINITY, 0)
    assert step(0, 0x80000000, False, "FP32") == step(0x80000000, 0, False, "FP32") == (0, 0)
    assert step(0x80000000, 0x80000000, False, "FP32") == (0x80000000, 0)
    assert step(0x80000000, 0x80000000, True, "FP32") == (0, 0)
    assert step(QUIET, MINUS_TWO, False, "FP32") == step(MINUS_TWO, QUIET, False, "FP32") == (MINUS_TWO, 0)
    assert step(SIGNALLING, ONE, False, "FP32") == (ONE, 0x01)
    assert step(0xFFC00001, QUIET, False, "FP32") == (QUIET, 0)
    assert step(SIGNALLING, QUIET, True, "FP32") == (QUIET, 0x01)


def test_rows_and_groups() -> None:
    row = list(range(1, 10))
    assert row_max(row, "U32", row_max_in=10) == (10, 0)
    assert group_max(row, 1, "U32") == ((8, 9), 0)
    assert group_max([2, 5, 4], 1, "U32") == ((5,), 0)
    assert row_max([-3], "S32", max_abs=True) == (3, 0)
    assert group_max([-3], 1, "S32", max_abs=True) == ((3,), 0)
    assert row_max([-3], "S32") == (0xFFFFFFFFFFFFFFFD, 0)
    assert row_max([ONE] * 7 + [TWO], "FP32") == (TWO, 0)
    assert row_max([1], "S32", max_abs=True, row_max_in=-(1 << 31)) == (0x7FFFFFFF, 0x04)
    assert row_max([SIGNALLING], "FP32") == (SIGNALLING, 0)
    assert row_max([SIGNALLING], "FP32", max_abs=True) == (QUIET, 0x01)
