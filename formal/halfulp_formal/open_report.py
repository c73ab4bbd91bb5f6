"""The open questions of block floating point as a file: what is asked, and the smallest blocks to put to the hardware."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from halfulp_formal.decide import Engine
from halfulp_formal.open_blocks import SENTENCES, smallest_blocks
from halfulp_model.block_rows import Minimum
from halfulp_model.blocks import Block, BlockConversion, block_conversions, encode_block
from halfulp_model.loader import default_rules

SCHEMA = "halfulp-open-questions/1"
RECIPE = "halfulp vectors open --out FILE"


def records(engine: Engine, on_conversion: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """Yield the lines: what the file is, every question of the rule data, then blocks by question and conversion.

    `on_conversion` hears of each conversion before its blocks are searched. Raises NotFound.
    """
    questions = default_rules().open_questions
    yield {"schema": SCHEMA, "questions": len(questions), "recipe": RECIPE}
    for name, row in questions.items():
        outcome = "no result" if row.uncharacterised else "a reading"
        yield {"question": name, "the model gives": outcome, "text": " ".join(row.text.split())}
    for name, conversion in block_conversions().items():
        if conversion.block.name != "BFP16":
            continue
        on_conversion(name)
        for question in SENTENCES:
            for block in smallest_blocks(name, question, engine):
                yield {"question": question, "conversion": name, **asked(conversion, block)}


def asked(conversion: BlockConversion, members: tuple[int, ...]) -> dict[str, Any]:
    """Return a block and what the rules make of it if they go on, under either reading of -128 where the two differ."""
    encoding = encode_block(conversion, members)
    found = {"block": [f"{word:08x}" for word in members], "by the rules": planes(encoding.block)}
    other = replace(conversion, block=replace(conversion.block, minimum=Minimum.FITS_INT8))
    if encode_block(other, members) != encoding:
        found["if every mode emits -128"] = planes(encode_block(other, members).block)
    return found


def planes(block: Block) -> str:
    """Return a block as its bytes: the mantissas, then the exponent."""
    return "".join(f"{number % 256:02x}" for number in (*block.mantissas, block.exponent))


def text(engine: Engine, on_conversion: Callable[[str], None]) -> str:
    """Return the file: one JSON object a line."""
    return "".join(json.dumps(record) + "\n" for record in records(engine, on_conversion))
