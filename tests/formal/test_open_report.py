"""The open questions as a file: each block meets its question, and the command finds the same ones again."""

import json

import pytest

from formal.vectors import readers
from halfulp_formal.decide import Engine
from halfulp_formal.open_blocks import SENTENCES
from halfulp_formal.open_report import asked, text
from halfulp_formal.solvers import preferred
from halfulp_model import Uncharacterised, bfp16_encode
from halfulp_model.block_rows import Minimum
from halfulp_model.blocks import block_conversions, encode_block
from halfulp_model.loader import default_rules
from model.test_blocks import with_row

FILE = readers.FOLDER / "open" / "bfp16.jsonl"
HEAD, *RECORDS = [json.loads(line) for line in FILE.read_text().splitlines()]
QUESTIONS = [record for record in RECORDS if "text" in record]
BLOCKS = [record for record in RECORDS if "block" in record]


def members(record):
    return tuple(int(word, 16) for word in record["block"])


def test_every_question_of_the_rule_data_is_there():
    assert [record["question"] for record in QUESTIONS] == list(default_rules().open_questions)
    assert HEAD["questions"] == len(QUESTIONS)
    assert len(QUESTIONS) + len(BLOCKS) == len(RECORDS)
    assert {record["question"] for record in BLOCKS} == set(SENTENCES)


@pytest.mark.parametrize("record", BLOCKS, ids=lambda record: f"{record['conversion']}-{record['question']}")
def test_a_block_meets_its_question(record):
    conversion, words = block_conversions()[record["conversion"]], members(record)
    found = bfp16_encode(words, conversion.rounding.name)
    other = encode_block(with_row(conversion, minimum=Minimum.FITS_INT8), words)
    if record["question"] in ("renormalised_to_255", "nan_reaches_128"):
        assert isinstance(found, Uncharacterised)
        assert found.question == record["question"]
    elif record["question"] == "minimum_mantissa":
        assert found != other.block
        assert "if every mode emits -128" in record
    else:
        assert any(word & 0x7FFFFFFF > 0x7F800000 for word in words)
        assert bytes.fromhex(record["by the rules"])[7] in (0x40, 0xC0)
    assert {key: record[key] for key in asked(conversion, words)} == asked(conversion, words)


@pytest.mark.slow
def test_the_file_is_what_the_command_writes():
    assert text(Engine(preferred(), 60), lambda _: None) == FILE.read_text()
