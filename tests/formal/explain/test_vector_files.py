"""Cases of the shipped vector files, pasted as they stand: every one is explained, and ends in the file's outputs."""

import json
from pathlib import Path

import pytest

from halfulp_formal.catalogue import conversions
from halfulp_formal.explain import FAMILIES, FieldError, explain
from halfulp_formal.subject import base_subject

VECTORS = Path(__file__).resolve().parents[3] / "vectors"
#: one file of every kind of conversion
FILES = (
    "bfp16.conv_even", "bfp16_matmul", "cvt.fp32.e4m3.rne.sat", "e8m0.fp32.rto.sat", "format.e2m1x2", "format.s4x2",
    "format.fp16", "mxint8", "noquant.fp32", "req8.rne.nosat", "scale.fp32.rceil.e4m3", "shifts322s16", "tile.noquant.fp32",
    "tile.noquant.s32", "tile.vreq4.rne.nosat",
)  # fmt: skip
FAULTS = (None, "illegal_instruction", "tile_legality")
#: the outputs that an explanation gives under another name
OUTPUTS = {"word": "out", "code": "out", "result": "out"}


def case_of(header, line):
    """A case's fields as people paste them, and the outputs by name."""
    case = json.loads(line)
    fields = {field["name"]: f"0x{text}" for field, text in zip(header["inputs"], case["in"], strict=True)}
    return fields, dict(zip((field["name"] for field in header["outputs"]), case["out"], strict=True))


def said(explanation, outputs):
    """An explanation's outcome under the names of a file's outputs."""
    found = explanation.outcome
    if "fault" in outputs:
        return tile_outputs(found, outputs)
    if "exponent" in outputs and "mantissas" in found:
        mantissas = {f"mantissa{k}": f"{number % 256:02x}" for k, number in enumerate(found["mantissas"])}
        return {"exponent": f"{found['exponent']:02x}", **mantissas}
    digits = str(found["out"]).removeprefix("0x")
    flags = {"flags": explanation.stages[-1].bits.removeprefix("0x")} if "flags" in outputs else {}
    return {name: digits for name in outputs if name != "flags"} | flags


def tile_outputs(found, outputs):
    """The outputs of a tile."""
    fault = f"{FAULTS.index(found['fault']):x}"
    if found["fault"]:
        return {name: "0" * len(text) for name, text in outputs.items()} | {"fault": fault}
    flat = {f"d_{r}_{c}": code for r, row in enumerate(found["d"]) for c, code in enumerate(row)}
    if "bytes" in found:
        digits = found["bytes"].removeprefix("0x")
        flat = {f"d_byte_{k}": digits[2 * k : 2 * k + 2] for k in range(len(digits) // 2)}
    flat |= {f"row_max_{r}": code for r, code in enumerate(found.get("row_max", ()))}
    groups = enumerate(found.get("group_max", ()))
    flat |= {f"group_max_{r}_{g}": code for r, row in groups for g, code in enumerate(row)}
    masks = {"NV": 1, "DZ": 2, "OF": 4, "UF": 8, "NX": 16, "none": 0}
    flags = sum(masks[name] for name in found["flags"].split("|"))
    rest = {name: "0" * len(text) for name, text in outputs.items()}
    return (
        rest
        | {name: text.removeprefix("0x") for name, text in flat.items()}
        | {"fault": fault, "flags": f"{flags:02x}"}
    )


@pytest.mark.parametrize("name", FILES)
def test_a_case_is_explained_by_the_names_of_its_file(name):
    head, *lines = (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    header = json.loads(head)
    for line in lines[:: max(1, len(lines) // 40)]:
        fields, outputs = case_of(header, line)
        explanation = explain(name, fields)
        assert explanation.failure == ""
        if not name.startswith("format."):
            assert said(explanation, outputs) == outputs


def test_every_conversion_that_is_proved_can_be_explained():
    known = [name for family in FAMILIES for name in family.names(base_subject())]
    assert set(conversions()) <= set(known)


@pytest.mark.parametrize("name", {name.partition(".")[0]: name for name in conversions()}.values())
def test_a_case_without_fields_says_what_is_missing_first(name):
    with pytest.raises(FieldError, match=r"^[a-z_]+: expected .*$"):
        explain(name, {})
