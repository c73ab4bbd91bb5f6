from fnmatch import fnmatchcase

from formal.vectors import readers
from halfulp_formal.vectors.family import all_names, shipped_names
from halfulp_formal.vectors.selection import SHIPPED, is_shipped


def test_every_rule_selects_plain_conversions_and_stands_in_the_readme():
    text = " ".join((readers.FOLDER / "README.md").read_text().split())
    for each in SHIPPED:
        assert each.pattern.startswith("cvt.")
        assert any(fnmatchcase(name, each.pattern) for name in all_names())
        assert f"`{each.pattern}`: {each.rule}" in text


def test_all_files_of_other_families_are_shipped():
    assert [name for name in all_names() if not name.startswith("cvt.")] == [
        name for name in shipped_names() if not name.startswith("cvt.")
    ]
    assert len(shipped_names()) < len(all_names())
    assert is_shipped("cvt.fp32.e4m3.rhb.sat")
    assert not is_shipped("cvt.e2m1.e4m3.rhb.sat")
