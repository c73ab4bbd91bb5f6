from dataclasses import replace

from halfulp_formal.vectors.digest import digest
from halfulp_model.convert import plain_conversions
from halfulp_model.loader import default_rules
from halfulp_model.rows import Claims


def test_a_rule_changes_the_digest_and_a_claim_does_not():
    row = default_rules().formats["E4M3"]
    assert digest(replace(row, claims=Claims())) == digest(row)
    assert digest(replace(row, bias=8)) != digest(row)
    conversion = plain_conversions()["cvt.fp32.e4m3.rne.sat"]
    claimless = replace(conversion, destination=replace(row, claims=Claims()))
    assert digest(claimless) == digest(conversion)
    assert digest(replace(conversion, destination=replace(row, bias=8))) != digest(conversion)
