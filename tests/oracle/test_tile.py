from oracle import tile
from oracle.pto import build_parameter, fp32_to_fp19
from oracle.tile import ILLEGAL_INSTRUCTION, TILE_LEGALITY, Fields, Result, decode, nibbles, process

CANONICAL = 0x2023
ONE = build_parameter(fp32_to_fp19(0x3F800000))


def run(
    rows: list[list[int]],
    word: int,
    accumulator: str = "S32",
    quant: int | list[int] | None = None,
    row_max_in: list[int] | None = None,
) -> Result | str:
    return process(rows, word, accumulator, 0, False, quant, None, row_max_in)


def test_words() -> None:
    assert decode(CANONICAL) == Fields(0, 0, 0, False, False, False, False, False, False)
    assert decode(CANONICAL | 1 << 7) == Fields(0, 0, 0, False, False, False, False, True, False)
    assert decode(CANONICAL | 17 << 26 | 3 << 23 | 9 << 19 | 0b1010 << 15 | 1 << 8) == Fields(
        17, 3, 9, True, False, True, False, False, True
    )
    for bit in (9, 10, 11, 12, 14, 0, 4, 6):
        assert decode(CANONICAL ^ 1 << bit) is None
    assert decode(CANONICAL | 6 << 26) is decode(CANONICAL | 4 << 23) is decode(CANONICAL | 10 << 19) is None


def test_the_specification_s_own_tile() -> None:
    row = list(range(1, 10))
    word = CANONICAL | 1 << 19 | 0b111 << 16
    assert run([row], word, "U32", row_max_in=[10]) == Result((tuple(row),), (10,), ((8, 9),), 0)
    assert run([[2, 5, 4]], CANONICAL | 1 << 19 | 1 << 17, "U32") == Result(((2, 5, 4),), (), ((5,),), 0)


def test_columns_have_their_own_words() -> None:
    two = build_parameter(fp32_to_fp19(0x40000000))
    assert run([[3, 3], [1, 200]], CANONICAL | 2 << 26, quant=[ONE, two]) == Result(
        ((3, 6), (1, 2**64 - 1)), (), (), 0x14
    )


def test_faults() -> None:
    assert run([[1]], 0) == ILLEGAL_INSTRUCTION
    assert run([], CANONICAL) == run([[]], CANONICAL) == TILE_LEGALITY
    assert run([[1]], CANONICAL | 1 << 16) == TILE_LEGALITY
    assert run([[1]], CANONICAL, quant=ONE) == TILE_LEGALITY
    assert run([[1]], CANONICAL | 3 << 26, quant=ONE + 1) == TILE_LEGALITY
    assert run([[1]], CANONICAL | 3 << 26, "U32", quant=ONE) == TILE_LEGALITY
    assert run([[1]], CANONICAL | 2 << 26, quant=[ONE, ONE]) == TILE_LEGALITY
    assert run([[1]], CANONICAL | 0b11 << 16 << 1, row_max_in=[1]) == TILE_LEGALITY
    assert tile.process([[1]], CANONICAL, "S32", 1, False, None, None, None) == TILE_LEGALITY
    # a shift that is not bound is the zero word: by one place
    assert run([[7]], CANONICAL | 13 << 26) == Result(((3,),), (), (), 0)


def test_nibbles() -> None:
    assert nibbles([1, -1, 3]) == bytes([0xF1, 0x03])
    assert nibbles([]) == b""
