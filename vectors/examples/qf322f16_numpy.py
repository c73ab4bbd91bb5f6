"""QF322F16 on whole arrays with numpy, held against vector files; also by way of float32, which rounds twice.

python vectors/examples/qf322f16_numpy.py vectors/qf322f16.*.jsonl
"""

import json
import sys
from pathlib import Path

import numpy as np

NV, OVERFLOW, UNDERFLOW, NX = 0x01, 0x14, 0x18, 0x10
LARGEST, QUIET_NAN = np.float16(65504), 0x7E00


def factors(code):
    """Return what FP19 codes, +0 or normal, stand for."""
    significand, exponent = 1024.0 + code % 1024, (code >> 10).astype(int) - 137
    return np.where(code == 0, 0.0, np.ldexp(significand, exponent))


def qf322f16(value, relu, quant_param, relu_param, saturate, product_type=np.float64):
    """Convert arrays of uint64; a float64 holds every product exactly, so that the last cast is the one rounding."""
    source = value.astype(np.uint32).view(np.float32)
    nan = np.isnan(source)
    negative = (value >> 31 == 1) & ~nan
    on_negative = np.where(relu == 1, 0, relu_param & 0x7FFFF)
    factor = factors(np.where(negative & (relu > 0), on_negative, quant_param >> 13 & 0x7FFFF))
    with np.errstate(all="ignore"):
        product = np.where(factor == 0, 0.0, source.astype(np.float64) * factor)
        narrow = product.astype(product_type).astype(np.float16)
    overflow = np.isinf(narrow) & (np.isfinite(source) | saturate)
    tiny = np.abs(product) < 2.0**-14
    inexact = narrow.astype(np.float64) != product
    flags = np.where(overflow, OVERFLOW, np.where(inexact, np.where(tiny, UNDERFLOW, NX), 0))
    result = np.where(saturate & overflow, np.copysign(LARGEST, narrow), narrow).view(np.uint16)
    signalling = value >> 22 & 1 == 0
    return np.where(nan, 0 if saturate else QUIET_NAN, result), np.where(nan, np.where(signalling, NV, 0), flags)


def main(paths):
    """Print a line a file; return 1 if any case differs."""
    wrong = 0
    for path in paths:
        header, *cases = map(json.loads, Path(path).read_text("ascii").splitlines())
        inputs, (result, flags) = (
            np.array([[int(text, 16) for text in case[key]] for case in cases], dtype=np.uint64).T
            for key in ("in", "out")
        )
        differ = {}
        for kind in (np.float64, np.float32):
            given = qf322f16(*inputs, header["saturate"], kind)
            differ[kind] = np.count_nonzero((given[0] != result) | (given[1] != flags))
        print(f"{path}: {len(cases)} cases, {differ[np.float64]} differ; by way of float32, {differ[np.float32]}")
        wrong += differ[np.float64]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
