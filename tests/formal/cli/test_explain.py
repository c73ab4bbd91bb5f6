import json

import pytest

EXAMPLE = """\
req8.rne.nosat: S32 × FP19 → S9 + offset → S8, RNE, Sat 0
  accumulator   300    0x0000012c          S32; not negative
  factor        1      0x1fc00             FP19; = 1024·2^-10; scale
  special       no
  offset        1      0x001               S9
  product       300                        = 307200·2^-10
  rounded       300                        RNE, exact
  intermediate  255    0x0ff               S9; saturated
  total         256                        does not fit S8: wrapped to its low 8 bits
  out           0      0x00                S8
  word                 0x0000000000000000
  flags         OF|NX  0x14
"""


def test_the_rounding_example(halfulp):
    assert halfulp("explain", "req8.rne.nosat", "acc=300", "scale=1.0", "offset=1") == (0, EXAMPLE, "")


def test_json(halfulp):
    code, out, _ = halfulp("explain", "req8.rne.nosat", "acc=300", "scale=0x1fc00", "offset=1", "--json")
    record = json.loads(out)
    assert code == 0
    assert record["outcome"] == {"word": "0x0000000000000000", "flags": "OF|NX", "out": "0x00", "value": 0}
    assert record["command"] == "halfulp explain req8.rne.nosat acc=300 scale=0x1fc00 offset=1"
    assert record["stages"][4] == {"name": "product", "value": "300", "exact": "307200·2^-10"}


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("E4M3 0x7e", "format.e4m3: E4M3, binary, 8 bits"),
        ("fp32 1.5", "format.fp32: FP32, binary, 32 bits"),
        ("cvt.fp32.fp16.rne.nosat 1.5", "cvt.fp32.fp16.rne.nosat: FP32 → FP16, RNE, Sat 0"),
        ("fp32 -1.5", "format.fp32: FP32, binary, 32 bits"),
        ("fp32 -inf --json", "{"),
        ("SHIFTS322S16 acc=0x7fffffff shift=1", "shifts322s16: S32 >> places → S16, rounded down, clamped"),
    ],
)
def test_names_in_any_case_formats_by_their_own_and_a_code_without_its_key(halfulp, words, first):
    code, out, err = halfulp("explain", *words.split())
    assert (code, out.splitlines()[0], err) == (0, first, "")


FACTOR = "expected a positive normal FP19 such as 1.0, a code from 0x00400 to 0x3fbff"
S32_RANGE = "expected an integer from -2147483648 to 2147483647 or a 32-bit S32 code like 0x00000001"


REFUSED = {
    "req8.rne.nosta acc=1": "unknown conversion 'req8.rne.nosta'; did you mean 'req8.rne.nosat'?",
    "zzz acc=1": "unknown conversion 'zzz'; `halfulp list` names them all",
    "req8.rne.nosat": "acc: expected an S32 accumulator such as acc=300",
    "e4m": "unknown conversion 'e4m'; did you mean 'e4m3'?",
    "e4m3 -x": "No such option: -x",
    "e4m3 -1": "in=-1: expected -1.0 for the number or 0x… for the E4M3 code",
    "e4m3 =3": "=3: expected KEY=VALUE, such as acc=300",
    "e4m3 1.5 2": "2: expected one value without a key",
    "e4m3 in=3 2": "in=2: expected in once",
    "req8.rne.nosat acc": "acc: expected KEY=VALUE, such as acc=…",
    "req8.rne.nosat acc=1 acc=2": "acc=2: expected acc once",
    "req8.rne.nosat acc=1 value=2": "value=2: expected acc or value, not both",
    "req8.rne.nosat value=1 accumulator=2": "accumulator=2: expected value or accumulator, not both",
    "req8.rne.nosat value=x scale=1.0": f"value=x: {S32_RANGE}",
    "req8.rne.nosat ac=1": "ac: no such field; did you mean acc?",
    "req8.rne.nosat acc=1.5 scale=1.0": f"acc=1.5: {S32_RANGE}",
    "req8.rne.nosat acc=4294967296 scale=1.0": f"acc=4294967296: {S32_RANGE}",
    "req8.rne.nosat acc=1": "scale: expected an FP19 factor such as scale=1.0 or scale=0x1fc00, or the whole quant_word=0x…",
    "req8.rne.nosat acc=1 scale=1": "scale=1: expected 1.0 for the number or 0x00001 for the FP19 code",
    "req8.rne.nosat acc=1 scale=0x80000": "scale=0x80000: expected a 19-bit FP19 code like 0x00001",
    "req8.rne.nosat acc=1 scale=-1.0": f"scale=-1.0: {FACTOR}",
    "req8.rne.nosat acc=1 scale=nan": f"scale=nan: {FACTOR}",
    "req8.rne.nosat acc=1 scale=0x0": f"scale=0x0: {FACTOR}",
    "req8.rne.nosat acc=1 scale=1.0 relu=2 activation=nan": (
        "activation=nan: expected 0.0 or a positive normal FP19 such as 1.0, a code from 0x00400 to 0x3fbff"
    ),
    "req8.rne.nosat acc=1 scale=1e40": "scale=1e40: expected a number in the range of FP19",
    "req8.rne.nosat acc=1 scale=1e99999": "scale=1e99999: expected a number like 1.5 or a code of FP19 like 0x00001",
    "req8.rne.nosat acc=1 scale=x": "scale=x: expected a number like 1.5 or a code of FP19 like 0x00001",
    "req8.rne.nosat acc=1 scale=1.0 offset=256": "offset: 256 does not fit the offset of REQ8; expected -256 to 255",
    "req8.rne.nosat acc=1 scale=1.0 shift=1": "shift=1: expected no shift, as REQ8 takes scale or offset",
    "req8.rne.nosat acc=1 scale=1.0 quant_word=1": "scale=1.0: expected quant_word or its parts, not both",
    "req8.rne.nosat acc=1 quant_word=0x10000000000000000": "quant_word=0x10000000000000000: expected a 64-bit word",
    "req8.rne.nosat acc=1 scale=1.0 relu=4": "relu=4: expected 0 to 3",
    "req8.rne.nosat acc=1 scale=1.0 relu=2": (
        "activation: expected an FP19 factor such as activation=0.5, or the whole relu_word=0x…"
    ),
    "req8.rne.nosat acc=1 scale=1.0 activation=0.5": "activation=0.5: expected relu=2 or relu=3 beside it",
    "req8.rne.nosat acc=1 scale=1.0 relu=2 relu_word=0x80000": (
        "relu_word=0x80000: expected +0 or a positive normal FP19 in bits 18:0 and zero elsewhere"
    ),
    "req8.rne.nosat acc=1 product=1": "acc=1: expected product and offset alone",
    "req8.rne.nosat product=1/3": "product=1/3: expected an exact binary number such as 307200*2^-10, 300 or -1.5",
    "shifts322s16 acc=1": "shift: expected 1 to 16 places, or shift_code=0 to 15, or the whole quant_word=0x…",
    "shifts322s16 acc=1 shift=17": "shift=17: expected 1 to 16",
    "shifts322s16 acc=1 shift_code=16": "shift code: 16 is not a shift code; expected 0 to 15",
    "shifts322s16 acc=1 shift=1 shift_code=0": "shift=1: expected shift or shift_code, not both",
    "shifts322s16 product=1": "product=1: expected acc, as SHIFTS322S16 multiplies nothing",
    "shifts322s16 acc=1 quant_word=1": "quant_word=1: expected a shift code in bits 35:32 and zero elsewhere",
    "shifts322s16 acc=1 quant_param=1": "quant_param=1: expected a shift code in bits 35:32 and zero elsewhere",
    "noquant.s32 acc=1 scale=1.0": "scale=1.0: expected no scale, as NoQuant takes no parameter",
    "qf322b8.rne.sat acc=300 scale=1.0": "acc=300: expected 300.0 for the number or 0x0000012c for the FP32 code",
    "cvt.fp16.e4m3.rne.sat bits=x": "bits=x: expected a number like 1.5 or a code of FP16 like 0x0001",
    "fp32_add.rne a=x b=1.0": "a=x: expected a number like 1.5 or a code of FP32 like 0x00000001",
    "reduce.s32 value_0=1 value_1=x": f"value_1=x: {S32_RANGE}",
    "reduce.s32 values=1,x": f"values[1]=x: {S32_RANGE}",
    "bfp16.floor member0=1.0": "member1: expected a value, as member0 to member7 are needed",
    "bfp16.floor members=1.0": "members=1.0: expected 8 FP32 codes or numbers, separated by commas",
    "bfp16.floor members=x,0,0,0,0,0,0,0": (
        "members[0]=x: expected a number like 1.5 or a code of FP32 like 0x00000001"
    ),
    f"bfp16.floor {' '.join(f'member{k}=0' for k in range(9))}": "member8=0: expected member0 to member7 alone",
    f"bfp16.floor {' '.join(f'member{k}=0' for k in range(7))} member7=x": (
        "member7=x: expected a number like 1.5 or a code of FP32 like 0x00000001"
    ),
    f"mxint8 {' '.join(f'member{k}=0' for k in range(31))} member31=nan": (
        "member31=nan: expected a finite number, as mxint8 takes no other"
    ),
    "fpatr.datr mode=REQ9": "mode=REQ9: expected a mode's name, such as REQ8, or its code",
    "cvt.fp16.e4m3.rne.sat": "in: expected a code of FP16 such as in=0x1, or a number",
    "cvt.fp16.e4m3.rne.sat in=0x10000": "in=0x10000: expected a 16-bit FP16 code like 0x0001",
    "cvt.fp16.e4m3.rne.sat in=3": "in=3: expected 3.0 for the number or 0x0003 for the FP16 code",
    "cvt.fp16.e4m3.rne.sat in=65520.0": "in=65520.0: expected a number in the range of FP16",
    "cvt.tf32.e4m3.rne.sat in=0x1": "in=0x1: expected a 32-bit TF32 code like 0x00000001 whose constrained bits are zero",
}


@pytest.mark.parametrize("words", REFUSED, ids=[words or "nothing" for words in REFUSED])
def test_one_line_says_what_was_given_and_what_was_expected(halfulp, words):
    assert halfulp("explain", *words.split()) == (2, "", f"halfulp: {REFUSED[words]}\n")
