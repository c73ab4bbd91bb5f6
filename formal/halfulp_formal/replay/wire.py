"""What a command is asked and how it answers: one line a case, as JSON with ids, or as plain text in order."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Protocol

from halfulp_formal.vectors.family import Field
from halfulp_formal.vectors.projections import flag_byte
from halfulp_formal.vectors.reading import Line, short, show
from halfulp_formal.wording import counted

FLAGS = "flags"
HEX = re.compile("[0-9a-fA-F]+")


class NoAnswer(ValueError):
    """A line of a command that is no answer; the message says what is wrong with it. `number`: the case that it names."""

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message)
        self.number = number


class Wire(Protocol):
    """A way to ask for a case and to read an answer. Outputs are bit patterns in the order of the file's header."""

    def request(self, case: Line) -> bytes:
        """Return the line that asks for a case."""
        ...

    def answer(self, text: str) -> tuple[int | None, tuple[int, ...]]:
        """Read a line without its end: the case's number, None where answers come in order, and its outputs.

        Raises NoAnswer.
        """
        ...


class JsonWire:
    """`{"id": 17, "in": ["0000012c", …]}` and, in any order, `{"id": 17, "out": ["00", "14"]}`; other keys are free."""

    def __init__(self, inputs: Sequence[Field], outputs: Sequence[Field]) -> None:
        self.outputs = outputs
        values = ", ".join(f'"{place(field)}"' for field in inputs)
        self.template = f'{{{{"id": {{}}, "in": [{values}]}}}}\n'

    def request(self, case: Line) -> bytes:
        """Return a request, spaced exactly as above."""
        return self.template.format(case.tc, *case.inputs).encode("ascii")

    def answer(self, text: str) -> tuple[int | None, tuple[int, ...]]:
        """Read an answer."""
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise NoAnswer("expected one JSON object") from error
        if not isinstance(record, dict) or not {"id", "out"} <= set(record):
            raise NoAnswer("expected an object with id and out")
        number, values = record["id"], record["out"]
        if type(number) is not int:
            raise NoAnswer(f"id: given {show(number)}, expected the number of a case")
        if not isinstance(values, list):
            expected = f"a list of {counted(len(self.outputs), 'value')}"
            raise NoAnswer(f"out: given {show(values)}, expected {expected}", number)
        try:
            return number, read_outputs(self.outputs, values)
        except NoAnswer as error:
            raise NoAnswer(str(error), number) from error


class TextWire:
    """Operands in hex with blanks between them; results likewise and TestFloat's flag byte in two digits, in order."""

    def __init__(self, inputs: Sequence[Field], outputs: Sequence[Field]) -> None:
        # the flag byte has two digits and five bits, like the flags that it stands for
        self.outputs = outputs
        self.template = " ".join(map(place, inputs)) + "\n"
        self.has_flags = bool(outputs) and outputs[-1].type == FLAGS

    def request(self, case: Line) -> bytes:
        """Return the operands of a case, as they stand in a TestFloat file."""
        return self.template.format(*case.inputs).encode("ascii")

    def answer(self, text: str) -> tuple[int | None, tuple[int, ...]]:
        """Read results."""
        values = read_outputs(self.outputs, text.split())
        if self.has_flags:
            # the byte is the flags in reverse, so that it turns back the same way
            values = (*values[:-1], flag_byte(values[-1]))
        return None, values


#: the wires by the name that the command line has for them
WIRES: dict[str, type[JsonWire | TextWire]] = {"jsonl": JsonWire, "testfloat": TextWire}


def place(field: Field) -> str:
    """Return where a value stands in a template: fixed-width lower-case hex."""
    return f"{{:0{field.digits}x}}"


def read_outputs(fields: Sequence[Field], values: Sequence[Any]) -> tuple[int, ...]:
    """Read the outputs of a case: hex of the declared width, in either case. Raises NoAnswer."""
    if len(values) != len(fields):
        names = " ".join(field.name for field in fields)
        raise NoAnswer(f"given {counted(len(values), 'value')}, expected {names}")
    numbers = []
    for field, value in zip(fields, values, strict=True):
        if not isinstance(value, str) or len(value) != field.digits or not HEX.fullmatch(value):
            raise NoAnswer(f"{field.name}: given {shown(value)}, expected {counted(field.digits, 'hex digit')}")
        number = int(value, 16)
        if number >> field.bits:
            raise NoAnswer(f"{field.name}: given {value}, expected at most {counted(field.bits, 'bit')}")
        numbers.append(number)
    return tuple(numbers)


def shown(value: Any) -> str:
    """Show a value that should be hex."""
    return short(value) if isinstance(value, str) and value.isalnum() else show(value)
