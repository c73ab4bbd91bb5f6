import json
import os
import signal
import subprocess
import sys
import time

import pytest

from formal.processes import gone
from formal.vectors import readers

NAME = "shifts322s16"
FILE = str(readers.FOLDER / f"{NAME}.jsonl")
COUNT = readers.header(readers.FOLDER / f"{NAME}.jsonl")["count"]

#: SHIFTS322S16 by hand: an arithmetic shift by one place more than the code, saturated; `SHIFT` may be replaced
SHIFTER = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    value, relu, word = (int(text, 16) for text in asked["in"][:3])
    value -= (value >> 31) << 32
    shifted = value >> SHIFT
    out = min(max(shifted, -32768), 32767)
    print(json.dumps({"id": asked["id"], "out": ["%04x" % (out & 65535), "14" if out != shifted else "00"]}))
"""


def command(shift="(word >> 32 & 15) + 1", after=""):
    return [sys.executable, "-I", "-S", "-c", SHIFTER.replace("SHIFT", shift) + after]


def test_every_answer_agrees(halfulp):
    expected = f"1 file, {COUNT} cases: every answer agrees\n"
    assert halfulp("replay", FILE, "--", *command()) == (0, expected, "")
    expected = f"2 files, {2 * COUNT} cases: every answer agrees\n"
    assert halfulp("replay", FILE, FILE, "--window", "3", "--", *command(after="    sys.stdout.flush()")) == (
        0,
        expected,
        "",
    )


def test_mismatches(halfulp):
    code, out, err = halfulp("replay", FILE, "--explain", "1", "--", *command("(word >> 32 & 15)"))
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"{FILE}:")
    assert lines[1].startswith("  inputs    value 0")
    assert lines[2].startswith("  expected  result ")
    assert lines[3].startswith("  got       result ")
    assert lines[4].startswith(f"  stages    {NAME}: ")
    assert sum(line.startswith("  stages") for line in lines) == 1
    shown = sum(": inputs " in line for line in lines) + 1
    (more,) = [int(line.split()[-3]) for line in lines if line.endswith(" more mismatches")]
    assert lines[-1].startswith(f"MISMATCH: 1 file, {COUNT} cases: ")
    assert lines[-1].endswith(f" {shown + more} differ")
    assert "every answer agrees" in lines[-3]
    assert f"{FILE}: behaves like: a shift code is not increased by one" in lines


def test_json(halfulp, tmp_path, monkeypatch):
    path = tmp_path / "replay.json"
    monkeypatch.setattr("halfulp_formal.replay.likeness.lookalike", lambda _, __: "a shift by too few places")
    code, out, _ = halfulp("replay", FILE, "--json", str(path), "--", *command("(word >> 32 & 15)"))
    assert (code, out.splitlines()[-1].partition(":")[0]) == (1, "MISMATCH")
    code, out, _ = halfulp("replay", FILE, "--json", "-", "--", *command("(word >> 32 & 15)"))
    assert code == 1
    record, again = json.loads(path.read_text()), json.loads(out)
    for each in (record, again):
        assert each["files"][0].pop("seconds") >= 0
    assert record == again
    (file,) = record["files"]
    assert (file["file"], file["conversion"], file["cases"], file["failure"]) == (FILE, NAME, COUNT, None)
    assert file["agree"] + file["differ"] == COUNT
    assert len(file["mismatches"]) == file["differ"] > 0
    assert set(file["mismatches"][0]) == {"line", "tc", "class", "in", "expected", "got"}
    assert sum(count["cases"] for count in record["classes"].values()) == COUNT
    assert file["behaves_like"] == "a shift by too few places"


def test_a_failure(halfulp):
    code, out, err = halfulp("replay", FILE, "--", *command(after="    if asked['id'] == 3: break\nsys.exit(5)"))
    lines = out.splitlines()
    assert (code, err) == (4, "")
    assert lines[0] == f"{FILE}: DIED: the command ended with exit code 5"
    assert lines[1].startswith(f"  answered  3 of {COUNT}; the first without an answer is case 4, ")
    assert lines[2].startswith("  inputs    value ")
    assert lines[3].startswith(f"  stages    {NAME}: ")
    assert lines[-1] == f"FAILED: 1 run of 1; 1 file, {COUNT} cases: 3 agree, 0 differ, {COUNT - 3} unanswered"


@pytest.mark.parametrize(("number", "how"), [(2, "interrupted"), (15, "ended by SIGTERM"), (1, "ended by SIGHUP")])
def test_a_signal_ends_the_command_too(halfulp, tmp_path, number, how):
    note = tmp_path / "pid"
    after = f"""
    import subprocess
    open({str(note)!r}, "w").write(str(subprocess.Popen(["sleep", "60"]).pid))
    os.kill(os.getppid(), {number})
    time.sleep(60)
"""
    code, out, err = halfulp("replay", FILE, "--", *command(after=after))
    assert (code, out) == (128 + number, "")
    assert err == f"halfulp: {how} after 0 of 1 file; the command was ended\n"
    assert gone(int(note.read_text()))


def test_signals_are_as_before_afterwards(halfulp):
    before = signal.getsignal(signal.SIGTERM)
    assert halfulp("replay", FILE, "--", *command())[0] == 0
    assert signal.getsignal(signal.SIGTERM) is before


def test_sigterm_from_outside(tmp_path):
    """The whole process, with a command that ignores SIGTERM."""
    note = tmp_path / "pid"
    script = f"trap '' TERM; echo $$ > {note}; while :; do sleep 1; done"
    main = [sys.executable, "-c", "from halfulp_formal.cli import main; main()"]
    run = [*main, "replay", FILE, "--", "sh", "-c", script]
    process = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (note.exists() and note.read_text().endswith("\n")):
        time.sleep(0.01)
        assert process.poll() is None
    process.terminate()
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (143, "")
    assert err == "halfulp: ended by SIGTERM after 0 of 1 file; the command was ended\n"
    assert gone(int(note.read_text()))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((FILE,), "no command: expected halfulp replay FILE… -- COMMAND…"),
        ((FILE, "--"), "no command: expected halfulp replay FILE… -- COMMAND…"),
        (("--", "true"), "Missing argument 'FILE…'."),
        ((FILE, "--format", "csv", "--", "true"), "--format csv: expected jsonl or testfloat"),
        (
            (FILE, "--case-timeout", "0", "--", "true"),
            "--case-timeout 0: expected a number of seconds above 0, at most 1,000,000",
        ),
        (
            (FILE, "--file-timeout", "nan", "--", "true"),
            "--file-timeout nan: expected a number of seconds above 0, at most 1,000,000",
        ),
        ((FILE, "--", "./nothing"), "cannot start ./nothing: No such file or directory"),
        (("none.jsonl", "--", "true"), "none.jsonl:1: file: given No such file or directory, expected a readable file"),
        ((FILE, "--json", "none/x.json", "--", "true"), "cannot write none/x.json: none is not a folder"),
    ],
)
def test_refusals(halfulp, arguments, message):
    assert halfulp("replay", *arguments) == (2, "", f"halfulp: {message}\n")


def test_options_of_the_command_are_its_own(halfulp):
    source = f"import sys\nassert sys.argv[1:] == ['--format', 'x', '--', '--json']\n{SHIFTER}"
    given = [sys.executable, "-I", "-S", "-c", source.replace("SHIFT", "(word >> 32 & 15) + 1")]
    assert halfulp("replay", FILE, "--", *given, "--format", "x", "--", "--json")[0] == 0


def test_help_names_the_command(halfulp):
    code, out, _ = halfulp("replay", "--help")
    assert code == 0
    assert "-- COMMAND…" in out
    assert os.linesep in out
