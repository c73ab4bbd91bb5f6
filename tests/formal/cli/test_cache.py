import json


def test_what_is_kept_is_told_and_forgotten(halfulp, tmp_path):
    folder = tmp_path / "cache" / "halfulp"
    assert halfulp("cache", "info") == (0, f"{folder}: 0 verdicts, 0.0 MB\n", "")
    assert halfulp("prove", "shifts322s16.shift", "--jobs", "1")[0] == 0
    assert halfulp("cache", "info") == (0, f"{folder}: 1 verdict, 0.0 MB\n", "")
    code, out, err = halfulp("cache", "info", "--json")
    record = json.loads(out)
    assert (code, err) == (0, "")
    assert record["bytes"] > 100
    assert record == {"folder": str(folder), "verdicts": 1, "bytes": record["bytes"]}
    (folder / "mine.txt").write_text("mine")
    assert halfulp("cache", "clear") == (0, f"{folder}: 1 verdict, 0.0 MB forgotten\n", "")
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    _, out, _ = halfulp("prove", "shifts322s16.shift", "--jobs", "1")
    assert "known from the cache" not in out
