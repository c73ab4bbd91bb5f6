"""The pre-quantization modes of B.FPATR as the encodings know them, and the names of conversions.

Codes, accumulators, destinations and parameters: ADR 0085, Decision 179; offset widths and fixed rounding:
B.FPATR (BundleFPATRModeOffsetWidth, BundleFPATRModeFixedRounding, MatrixFPATREffectiveControl).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from halfulp_formal.encodings.rounding import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Mode:
    """One row: PreQuantMode code, accumulator type, destination type, parameter kind and rounding."""

    code: int
    source: str
    destination: str
    #: "none", "scale" (FP19, with a signed offset where offset_bits is not 0) or "shift".
    parameter: str
    #: Bits of the signed offset, and of the saturated intermediate it is added to.
    offset_bits: int = 0
    #: A fixed rounding mode, or "" where B.DATR programs it.
    rounding: str = ""
    #: Whether B.DATR.Sat is programmable.
    final: bool = True


MODES: Mapping[str, Mode] = {
    "noquant.fp32": Mode(0, "fp32", "fp32", "none", rounding="rne", final=False),
    "noquant.s32": Mode(0, "s32", "s32", "none", rounding="rne", final=False),
    "noquant.u32": Mode(0, "u32", "u32", "none", rounding="rne", final=False),
    "f322f16": Mode(1, "fp32", "fp16", "none", rounding="rne"),
    "vreq8": Mode(2, "s32", "s8", "scale", offset_bits=9),
    "req8": Mode(3, "s32", "s8", "scale", offset_bits=9),
    "vdeqf16": Mode(4, "s32", "fp16", "scale"),
    "deqf16": Mode(5, "s32", "fp16", "scale"),
    "vshifts322s16": Mode(12, "s32", "s16", "shift", rounding="rtm", final=False),
    "shifts322s16": Mode(13, "s32", "s16", "shift", rounding="rtm", final=False),
    "f322bf16": Mode(16, "fp32", "bf16", "none", rounding="rne"),
    "req4": Mode(17, "s32", "s4", "scale", offset_bits=5),
    "vreq4": Mode(18, "s32", "s4", "scale", offset_bits=5),
    "deqs16": Mode(19, "s32", "s16", "scale", offset_bits=17),
    "vdeqs16": Mode(20, "s32", "s16", "scale", offset_bits=17),
    "vqf322b8": Mode(23, "fp32", "s8", "scale", offset_bits=9),
    "qf322b8": Mode(24, "fp32", "s8", "scale", offset_bits=9),
    "qf322hif8": Mode(25, "fp32", "hif8", "scale", rounding="rhb"),
    "qf322fp8": Mode(26, "fp32", "e4m3", "scale", rounding="rne"),
    "qf322f32": Mode(27, "fp32", "fp32", "scale"),
    "vqf322hif8": Mode(28, "fp32", "hif8", "scale", rounding="rhb"),
    "qf322f16": Mode(32, "fp32", "fp16", "scale", rounding="rne"),
    "vqf322f16": Mode(33, "fp32", "fp16", "scale", rounding="rne"),
    "qf322bf16": Mode(34, "fp32", "bf16", "scale", rounding="rne"),
    "qs322bf16": Mode(35, "s32", "bf16", "scale"),
    "vqf322bf16": Mode(36, "fp32", "bf16", "scale", rounding="rne"),
    "vqf322fp8": Mode(37, "fp32", "e4m3", "scale", rounding="rne"),
    "vqf322f32": Mode(38, "fp32", "fp32", "scale"),
    "vqs322bf16": Mode(39, "s32", "bf16", "scale"),
}


@dataclass(frozen=True, slots=True)
class Conversion:
    """A mode with every control chosen."""

    mode: Mode
    rounding: str
    saturating: bool


def conversion_named(name: str) -> Conversion:
    """The conversion of that name: a mode alone, or `mode.rounding.sat` and `mode.rounding.nosat` where Sat is programmed.

    A mode that fixes its rounding has it in its names too. Raises ValueError for a name that is not one.
    """
    stem, *rest = name.split(".", 1) if not name.startswith("noquant") else (name,)
    mode = MODES.get(stem)
    if mode is not None and not mode.final and not rest:
        return Conversion(mode, mode.rounding, saturating=False)
    rounding, _, last = (rest or [""])[0].partition(".")
    if mode is not None and mode.final and rounding in roundings_of(mode) and last in ("sat", "nosat"):
        return Conversion(mode, rounding, saturating=last == "sat")
    raise ValueError(f"no conversion is named {name!r}; expected mode or mode.rounding.sat or mode.rounding.nosat")


def roundings_of(mode: Mode) -> list[str]:
    """The rounding modes that a mode can run under: its own, or all."""
    return [mode.rounding] if mode.rounding else list(ROUNDING)


def conversion_names() -> list[str]:
    """Every name `conversion_named` accepts, in the order of the mode table."""
    names: list[str] = []
    for name, mode in MODES.items():
        if not mode.final:
            names.append(name)
        else:
            names.extend(f"{name}.{rounding}{end}" for rounding in roundings_of(mode) for end in (".sat", ".nosat"))
    return names
