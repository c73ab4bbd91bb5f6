"""Readers of every vector format, written from its description; none of them uses the writer."""

import csv
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

#: the shipped files
FOLDER = Path(__file__).parents[3] / "vectors"


@dataclass(frozen=True)
class Case:
    """Inputs and outputs as numbers; the class where the format tells it."""

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    corner: str | None = None


def header(path):
    return json.loads(path.read_text("ascii").splitlines()[0])


def jsonl(path):
    lines = [json.loads(line) for line in path.read_text("ascii").splitlines()[1:]]
    return [Case(numbers(line["in"]), numbers(line["out"]), line["class"]) for line in lines]


def numbers(texts):
    return tuple(int(text, 16) for text in texts)


def testfloat(path, inputs, *, flags):
    """Operands, result and TestFloat's flag byte: invalid 10, divide by zero 08, overflow 04, underflow 02, inexact 01."""
    lines = path.read_text("ascii").splitlines()
    if not flags:
        words = [numbers(line.split(" ")) for line in lines]
        return [Case(each[:inputs], each[inputs:]) for each in words]
    cases = []
    for line in lines:
        *values, last = line.split(" ")
        byte = int(last, 16)
        pto = sum(pto for pto, theirs in ((1, 16), (2, 8), (4, 4), (8, 2), (16, 1)) if byte & theirs)
        cases.append(Case(numbers(values[:inputs]), (*numbers(values[inputs:]), pto)))
    return cases


def readmemh(path, inputs):
    """As the language has it: white space and // comments separate words, _ inside a number means nothing."""
    text = re.sub(r"//[^\n]*", "", path.read_text("ascii"))
    words = text.split()
    assert all(re.fullmatch(r"[0-9a-fA-F_]+", word) and set(word) - set("fF_") for word in words)
    fields = [numbers(word.split("_")) for word in words]
    return [Case(each[:inputs], each[inputs:]) for each in fields]


def comma_separated(path, inputs):
    with path.open(newline="") as file:
        rows = list(csv.reader(file))
    names = rows[0][2:-1]
    assert rows[0] == ["tc", "class", *names, "why"]
    assert [row[0] for row in rows[1:]] == [str(number) for number in range(1, len(rows))]
    return [Case(numbers(row[2 : 2 + inputs]), numbers(row[2 + inputs : -1]), row[1]) for row in rows[1:]]


def c_header(path, inputs, folder):
    """A C compiler reads the table; a program prints it member by member."""
    name = path.stem.replace(".", "_")
    members = re.findall(r"uint\d+_t (\w+);", path.read_text("ascii"))
    prints = " ".join(f'printf("%llx ", (unsigned long long)c->{member});' for member in members)
    program = folder / "print.c"
    program.write_text(
        f'#include <stdio.h>\n#include "{path}"\n'
        f"int main(void) {{ for (int i = 0; i < {name.upper()}_COUNT; i++) {{ const struct {name}_case *c = &{name}_cases[i];"
        f" {prints} puts(c->corner); }} return 0; }}\n"
    )
    binary = folder / "print"
    subprocess.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-o", binary, program], check=True)
    lines = subprocess.run([binary], capture_output=True, text=True, check=True).stdout.splitlines()
    cases = []
    for line in lines:
        *values, corner = line.split()
        cases.append(Case(numbers(values[:inputs]), numbers(values[inputs:]), corner))
    return cases
