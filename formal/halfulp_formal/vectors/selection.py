"""Which conversions' files are shipped: one declared list; every other file is written by name."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Selected:
    """Plain conversions whose files are shipped: a glob pattern of names, and the rule in words."""

    pattern: str
    rule: str


#: of the plain conversions, which are too many, these are shipped; of all other families every one is
SHIPPED: tuple[Selected, ...] = (
    Selected("cvt.fp32.*", "from FP32 to every destination, in every rounding mode, Sat 0 and 1"),
    Selected("cvt.fp64.*.rne.nosat", "from FP64 to every destination, RNE, Sat 0"),
    Selected("cvt.fp16.*.rne.nosat", "from FP16 likewise"),
    Selected("cvt.bf16.*.rne.nosat", "from BF16 likewise"),
    Selected("cvt.[su]32.*.rne.nosat", "from S32 and U32 likewise"),
)


def is_shipped(name: str) -> bool:
    """Tell whether a conversion's file is shipped."""
    return not name.startswith("cvt.") or any(fnmatchcase(name, each.pattern) for each in SHIPPED)
