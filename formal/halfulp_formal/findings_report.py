"""The findings as a report: every sentence with its smallest witness, its condition, and what was proved of both."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, StrictUndefined

from halfulp_formal import catalogue, findings, format_findings, fpatr_findings, reduction_findings, scale_findings
from halfulp_formal.explain import explain_witness
from halfulp_formal.findings import Finding
from halfulp_formal.obligation import Proof
from halfulp_formal.wording import counted, noun_for
from halfulp_model import postprocess
from halfulp_model.conversions import conversions
from halfulp_model.exact import Exact
from halfulp_model.result import Result

FLAG_NAMES = ("NV", "DZ", "OF", "UF", "NX")

#: the first stage of an explanation that is all that there is to a case
ONE_CODE = ("in", "number", "other")

FINDINGS: tuple[Finding, ...] = (
    *findings.FINDINGS,
    *format_findings.FINDINGS,
    *scale_findings.FINDINGS,
    *fpatr_findings.FINDINGS,
    *reduction_findings.FINDINGS,
)


@dataclass(frozen=True)
class Section:
    """Differences that are no fault of the specification's."""

    title: str
    introduction: str
    differences: tuple[Finding, ...]


SECTIONS = (
    Section(
        "Where choices of a scale differ",
        "No specification is at fault here: quantisers choose the exponent of a block in several ways, TCVT in another one.",
        scale_findings.DIFFERENCES,
    ),
    Section(
        "Where a maximum is no plain maximum",
        "No specification is at fault here: a maximum is the same in every order of the columns, but a column that is "
        "repeated or made up may change it.",
        reduction_findings.DIFFERENCES,
    ),
)
#: not the specification against itself
DIFFERENCES: tuple[Finding, ...] = tuple(difference for section in SECTIONS for difference in section.differences)


@dataclass(frozen=True)
class Row:
    """A finding in one conversion: verdicts of the sentence and of its condition, and the smallest witness in words."""

    conversion: str
    sentence: str
    exactly: str
    witness: str


TEMPLATE = """\
{% macro table(finding, rows) %}
## {{ finding.title }}

- Sentence: {{ finding.sentence }} ({{ finding.source }})
- {{ caller() }}: {{ finding.code }}.
- It fails exactly where {{ finding.condition }}.

| conversion | sentence | condition exact | smallest witness |
|---|---|---|---|
{% for row in rows -%}
| `{{ row.conversion }}` | {{ row.sentence }} | {{ row.exactly }} | {{ row.witness }} |
{% endfor %}
{%- endmacro -%}
# Findings

{% if open %}**Not everything here is proved:** {{ open | join(", ") }}.
{% else %}Every sentence below is refuted by a witness that replays on the model, and every condition is proved exact.
{% endif %}
Written by `halfulp findings`. Where prose and normative code of the specification differ, the model follows the
code; each difference is kept here with the smallest input that shows it.
{% for finding, rows in findings %}
{%- call table(finding, rows) %}Normative code{% endcall %}
{%- endfor %}
{% for section, differences in sections if differences -%}
# {{ section.title }}

{{ section.introduction }}
{% for finding, rows in differences %}
{%- call table(finding, rows) %}Difference{% endcall %}
{%- endfor %}
{%- endfor %}"""


@cache
def conversions_by_kind() -> Mapping[str, Sequence[str]]:
    """Return the conversions that have a kind of obligation, by the kind's name."""
    found: dict[str, list[str]] = {}
    for conversion in catalogue.conversions():
        for kind in catalogue.kinds_of(conversion):
            found.setdefault(kind.name, []).append(conversion)
    return found


def names_of(finding: Finding) -> Iterator[tuple[str, str, str]]:
    """Yield the conversions of a finding with the names of its two obligations."""
    for conversion in conversions_by_kind().get(finding.key, ()):
        if finding.applies(conversion):
            yield conversion, f"{conversion}.{finding.key}", f"{conversion}.{finding.key}_exactly"


def obligation_names() -> list[str]:
    """Return the names of all obligations of findings."""
    return [name for finding in (*FINDINGS, *DIFFERENCES) for _, *names in names_of(finding) for name in names]


def rows_of(finding: Finding, proofs: Mapping[str, Proof]) -> list[Row]:
    """Return a finding's rows, one a conversion."""
    rows = []
    for conversion, sentence, exactly in names_of(finding):
        proof = proofs.get(sentence)
        witness = ""
        if proof is not None:
            witness = in_words(conversion, proof.witness) if proof.witness is not None else proof.detail
        rows.append(Row(conversion, verdict_of(proof), verdict_of(proofs.get(exactly)), witness))
    return rows


def verdict_of(proof: Proof | None) -> str:
    """Return a verdict in capitals; what was not in the run has none."""
    return "NOT RUN" if proof is None else proof.verdict.name


def markdown(proofs: Sequence[Proof]) -> str:
    """Return the report in Markdown; findings whose obligations are not among the proofs are said to be open."""
    by_name = {proof.name: proof for proof in proofs}
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)  # noqa: S701  # Markdown, not HTML
    return environment.from_string(TEMPLATE).render(
        findings=[(finding, rows_of(finding, by_name)) for finding in FINDINGS],
        sections=[
            (section, [(each, rows_of(each, by_name)) for each in section.differences if each in DIFFERENCES])
            for section in SECTIONS
        ],
        open=list(open_names(by_name)),
    )


def open_names(proofs: Mapping[str, Proof]) -> Iterator[str]:
    """Yield the findings' obligations whose verdict is not the one that is due, then how many have none."""
    names = obligation_names()
    yield from (name for name in names if name in proofs and not proofs[name].ok)
    missing = sum(name not in proofs for name in names)
    if missing:
        yield f"{missing:,} of {counted(len(names), 'obligation')} {noun_for(missing, 'is', 'are')} not in this run"


def in_words(conversion: str, witness: Mapping[str, int]) -> str:
    """Say what a witness is, and what the model makes of it."""
    if conversion not in conversions():
        return as_explained(conversion, witness)
    row = conversions()[conversion]
    if "in.value" in witness:
        is_signed = row.accumulator.is_integer and row.accumulator.signed
        value = signed(witness["in.value"], 32) if is_signed else witness["in.value"]
        words = (witness["in.relu"], witness["in.quant_word"], witness["in.relu_word"])
        result = postprocess.element(row, value, *words)
        given = f"{row.accumulator.name} `{witness['in.value']:#010x}`, ReluMode {words[0]}"
        given += f", parameter `{words[1]:#x}`" if words[1] else ""
        given += f", activation `{words[2]:#x}`" if words[2] else ""
    else:
        parts = {name.split(".")[1]: name for name in witness if name.startswith("product.")}
        exponent_name = parts["exponent"]
        exponent = signed(witness[exponent_name], int(exponent_name.rpartition(".")[2]) + 1)
        number = Exact(bool(witness[parts["negative"]]), witness[parts["significand"]], exponent)
        result = postprocess.encode_product(row, number)
        given = f"{'-' if number.negative else ''}{number.significand} · 2^{number.exponent}"
    return f"{given} gives {outcome(result)}"


def as_explained(conversion: str, witness: Mapping[str, int]) -> str:
    """Say what a code is, or the fields of a case of more, and what the model makes of it."""
    explanation = explain_witness(conversion, witness)
    if explanation is None:
        return ", ".join(f"{name} = `{value:#x}`" for name, value in witness.items())
    first, found = explanation.stages[0], explanation.outcome
    if first.name not in ONE_CODE:
        given = " ".join(f"`{word}`" for word in shlex.split(explanation.command)[3:])
        return f"{given} {what_comes(found)}".strip()
    given = f"{first.type} `{first.bits}`, {first.value}"
    if "flags" not in found:
        # what is no number has its class where its value would be
        return f"{given}, classed as {str(found['class']).replace('_', ' ')}" if first.exact else given
    return f"{given}, {what_comes(found)}"


def what_comes(found: Mapping[str, Any]) -> str:
    """Say what an outcome is: the code and the flags, or whether it is legal; nothing of any other."""
    if "fault" in found:
        return f"is refused: {found['message']}" if found["fault"] else "is legal"
    if "flags" not in found:
        return ""
    raised = str(found["flags"]).replace("|", ", ").replace("none", "no flags")
    return f"gives `{found['out']}` with {raised}"


def outcome(result: Result) -> str:
    """Return a result as code and flag names."""
    raised = ", ".join(name for bit, name in enumerate(FLAG_NAMES) if result.flags >> bit & 1) or "no flags"
    return f"`{result.word:#x}` with {raised}"


def signed(bits: int, width: int) -> int:
    """Return the two's-complement number of a bit pattern."""
    return bits - (1 << width) if bits >> (width - 1) else bits
