"""Where elements lie: `pack.s4x2`, two elements a byte, and `bfp16_v64`, the planes of eight blocks; both ways."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from halfulp_formal.subject import Subject
from halfulp_formal.wording import counted

from .fields import Fields
from .lists import BLOCK, ROWS, Numbered, block_bytes, numbered, read_block, read_list, read_rows
from .matmul import block_stage
from .numerals import FieldError, hex_text, part_error, read_integer, shown
from .stages import Explanation, Stage, command_for
from .trace import told
from .witness import signed

PACKED, V64 = "pack.s4x2", "bfp16_v64"


@dataclass(frozen=True)
class Case:
    """What is laid out, elements or blocks in the model's own type; or the bytes that are read."""

    name: str
    row: Any
    elements: tuple[Any, ...] = ()
    data: bytes | None = None


def names(subject: Subject) -> dict[str, Any]:
    """Return both names with the rows of their formats."""
    rules = subject.module("loader").default_rules()
    return {PACKED: rules.formats["S4X2"], V64: rules.blocks["BFP16"]}


def v64_blocks(subject: Subject) -> int:
    """Return the blocks of a v64."""
    return int(subject.module("bfp16").V64_BLOCKS)


def read(subject: Subject, name: str, given: Mapping[str, Any]) -> Case:
    """Read a case: elements or blocks, or bytes in hex. Raises FieldError."""
    row, what = names(subject)[name], "elements" if name == PACKED else "blocks"
    fields = Fields(numbered(given, "element", what), (what, "bytes"), {"in": what})
    if "bytes" in fields:
        fields.refuse([what], f"{what} or bytes, not both")
        return Case(name, row, data=read_bytes(subject, name, row, fields.get("bytes")))
    said = fields.spelt(what)
    if name == PACKED:
        expected = "elements of -8 to 7, separated by commas"
        words = read_list(said, fields.require(what, f"{expected}; or bytes=0x…"), expected)
        return Case(name, row, tuple(read_element(fields.spelt(what, k), word) for k, word in enumerate(words)))
    count = v64_blocks(subject)
    expected = f"{count} blocks with {ROWS} between, each {BLOCK.removeprefix('a block ')}"
    blocks = read_rows(said, fields.require(what, f"{expected}; or bytes=0x…"), expected)
    if isinstance(blocks, Numbered) and len(blocks) != count:
        raise blocks.wrong_count(count)
    if len(blocks) != count:
        raise part_error(said, counted(len(blocks), "block"), expected)
    block = subject.module("blocks").Block
    read_ones = (read_block(fields.spelt(what, k), each, row, finite=False) for k, each in enumerate(blocks))
    return Case(name, row, tuple(block(*each) for each in read_ones))


def read_element(field: str, given: object) -> int:
    """Read a signed element of four bits, or its code as 0x…. Raises FieldError."""
    element = read_integer(field, given)
    is_code = isinstance(given, str) and given[:2] in ("0x", "0X")
    if not (0 <= element <= 15 if is_code else -8 <= element <= 7):
        raise FieldError(field, shown(given), "an element of -8 to 7")
    return signed(element, 4) if is_code else element


def read_bytes(subject: Subject, name: str, row: Any, given: object) -> bytes:
    """Read bytes in hex: any number of packed elements, or those of a v64. Raises FieldError."""
    count = v64_blocks(subject) * (row.size + 1) if name == V64 else None
    if isinstance(given, str) and re.fullmatch(r"(0[xX])?([0-9a-fA-F]{2})+", given):
        data = bytes.fromhex(given[len(given) - len(given.lower().removeprefix("0x")) :])
        if count is None or len(data) == count:
            return data
    raise FieldError("bytes", shown(given), f"{f'{count} bytes' if count else 'bytes'} in hex, two digits each")


def witness(subject: Subject, name: str, values: Mapping[str, int]) -> Case | None:
    """Return the elements, blocks or bytes that a solver's witness stands for, None where it has other inputs."""
    codes = {key.removeprefix("in."): value for key, value in values.items()}
    row = names(subject)[name]
    if all(key.startswith("byte") for key in codes):
        return Case(name, row, data=bytes(codes.values()))
    if name == PACKED:
        elements = tuple(signed(value, 4) for key, value in codes.items() if key.startswith("nibble"))
        return Case(name, row, elements) if elements else None
    block, places = subject.module("blocks").Block, range(v64_blocks(subject))
    keys = [[f"block{k}_{m}" for m in (*range(row.size), "exponent")] for k in places]
    if set(codes) != {key for each in keys for key in each}:
        return None
    planes = [[codes[key] for key in each] for each in keys]
    return Case(
        name,
        row,
        tuple(block(exponent, tuple(signed(m, row.mantissa_bits) for m in plane)) for *plane, exponent in planes),
    )


def run(subject: Subject, case: Case) -> tuple[tuple[Any, ...], bytes]:
    """Run the model on a case: elements or blocks, and the bytes; one of both is what was given."""
    packing, planes = subject.module("packing"), subject.module("bfp16")
    if case.data is not None:
        found = planes.unpack_v64(case.row, tuple(case.data)) if case.name == V64 else unpacked(subject, case)
        return found, case.data
    pack = planes.pack_v64 if case.name == V64 else packing.pack
    return case.elements, bytes(pack(case.row, case.elements))


def unpacked(subject: Subject, case: Case) -> tuple[int, ...]:
    """Return the signed elements of a case's bytes."""
    assert case.data is not None
    codes = subject.module("packing").unpack(case.row, tuple(case.data))
    return tuple(signed(code, case.row.code_bits) for code in codes)


def evaluate(subject: Subject, case: Case) -> dict[str, Any]:
    """Run the model on a case; `bytes` in hex, and the elements or blocks as JSON values."""
    elements, data = run(subject, case)
    if case.name == PACKED:
        return {"elements": list(elements), "bytes": f"0x{data.hex()}"}
    blocks = [{"exponent": each.exponent, "mantissas": list(each.mantissas)} for each in elements]
    return {"blocks": blocks, "bytes": f"0x{data.hex()}"}


def explain(subject: Subject, case: Case) -> Explanation:
    """Tell where every element, or every block, lies."""
    tell = v64_stages if case.name == V64 else packed_stages
    stages, found, failure = told(lambda: (tell(case.row, *run(subject, case)), evaluate(subject, case)))
    if case.data is not None:
        word = f"bytes=0x{case.data.hex()}"
    elif case.name == PACKED:
        word = f"elements={','.join(map(str, case.elements))}"
    else:
        blocks = (block_bytes(case.row, each.exponent, each.mantissas) for each in case.elements)
        word = f"blocks={ROWS.join(blocks)}"
    summary = "signed elements, two in a byte" if case.name == PACKED else "eight blocks as two planes"
    return Explanation(
        conversion=case.name,
        summary=f"{summary}, {'read' if case.data is not None else 'written'}",
        command=command_for(case.name, [word]),
        stages=stages,
        outcome=found,
        failure=failure,
    )


def packed_stages(row: Any, elements: tuple[int, ...], data: bytes) -> Iterator[Stage]:
    """Yield every element with its byte and nibble, then the bytes."""
    for k, element in enumerate(elements):
        half = "high" if k % row.lanes else "low"
        yield Stage(
            f"element {k}", str(element), hex_text(element, row.code_bits), note=f"byte {k // row.lanes}, {half}"
        )
    if len(elements) % row.lanes:
        yield Stage("free nibble", "0", "0x0", note=f"byte {len(elements) // row.lanes}, high")
    yield Stage("bytes", "", f"0x{data.hex()}")


def v64_stages(row: Any, blocks: tuple[Any, ...], data: bytes) -> Iterator[Stage]:
    """Yield every block with the places of its bytes, then both planes."""
    plane = len(blocks) * row.size
    for k, block in enumerate(blocks):
        stage = block_stage(row, f"block {k}", block)
        where = f"bytes {k * row.size} to {(k + 1) * row.size - 1} and {plane + k}"
        yield Stage(stage.name, stage.value, stage.bits, stage.type, note=f"exponent {block.exponent}; {where}")
    yield Stage("mantissas", f"{plane} bytes", note=data[:plane].hex())
    yield Stage("exponents", f"{len(data) - plane} bytes", note=data[plane:].hex())
