"""TCVT to E8M0 rounds in the linear domain."""

from halfulp_formal.amend import replaces
from halfulp_model.api_e8m0 import TCVT
from halfulp_model.e8m0 import ONE, ScaleConversion
from halfulp_model.rows import Rules


@replaces("api_e8m0.build_e8m0")
def build_e8m0(rules: Rules, source: str, rounding: str, saturate: bool) -> ScaleConversion:
    """Resolve the rows of one conversion of TCVT to E8M0; nearest compares the value with 1.5 times the lower power."""
    table = rules.scale_tables[TCVT]
    return ScaleConversion(
        name=".".join([table.destination.lower(), source.lower(), rounding.lower(), "sat" if saturate else "nosat"]),
        table=table,
        source=rules.formats[source],
        destination=rules.formats[table.destination],
        rounding=rules.roundings[rounding],
        logarithmic=False,
        divisor=ONE,
        saturate=saturate,
    )
