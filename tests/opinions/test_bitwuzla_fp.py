"""A third opinion: SMT-LIB's theory of floating-point numbers, read and decided by Bitwuzla alone."""

import pytest

from halfulp_formal.bits import Bits
from halfulp_formal.encodings.binary import BINARY_FORMATS
from halfulp_formal.encodings.convert import convert, width_of
from halfulp_formal.smtlib import export

bitwuzla = pytest.importorskip("bitwuzla", reason="bitwuzla is not installed; its floating-point theory has no say")

SECONDS = 20
PAIRS = [("fp64", "fp32"), ("fp32", "fp16"), ("fp32", "bf16"), ("fp64", "fp16")]
#: a rounding mode of the rule data, and its name in SMT-LIB
MODES = {"rne": "RNE", "rtz": "RTZ", "rtm": "RTN", "rtp": "RTP", "rna": "RNA"}
FP_SCRIPT = """
(define-fun source () (_ FloatingPoint {source}) ((_ to_fp {source}) in.{given}))
(assert (not (fp.isNaN source)))
(assert (distinct ((_ to_fp {destination}) {mode} source) ((_ to_fp {destination}) out.{result})))
"""


def sort_of(name: str) -> str:
    """Exponent and significand widths, the latter with the hidden bit, as SMT-LIB counts them."""
    return f"{BINARY_FORMATS[name].exponent_bits} {BINARY_FORMATS[name].fraction_bits + 1}"


def differs(source: str, destination: str, rounding: str, mode: str) -> str:
    """What Bitwuzla answers when asked for a number that the encoding and the theory convert to different ones."""
    given, result = (
        Bits.symbol(f"in.{source}", width_of(source)),
        Bits.symbol(f"out.{destination}", width_of(destination)),
    )
    code, _ = convert(source, destination, rounding, saturating=False, bits=given)
    # The theory has no term in pySMT: its assertions are written into the exported script, before it asks.
    script, asks, _ = export([(result == code).term]).replace("QF_BV", "QF_BVFP").partition("(check-sat)")
    assert asks
    script += FP_SCRIPT.format(
        source=sort_of(source), destination=sort_of(destination), mode=mode, given=source, result=destination
    )
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, SECONDS * 1000)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(script, parse_only=True, parse_file=False)
    return str(parser.bitwuzla().check_sat())


@pytest.mark.parametrize("rounding", MODES)
@pytest.mark.parametrize(("source", "destination"), PAIRS)
def test_the_encoding_is_the_theory_on_every_number(source: str, destination: str, rounding: str) -> None:
    assert differs(source, destination, rounding, MODES[rounding]) == "unsat"


@pytest.mark.parametrize(("source", "destination"), PAIRS)
def test_another_mode_is_told_apart(source: str, destination: str) -> None:
    assert differs(source, destination, "rne", MODES["rna"]) == "sat"
