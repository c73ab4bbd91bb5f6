"""The skeleton of an amendment: for a finding what takes the contradiction away, for a conversion the rows it reads."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from halfulp_formal import catalogue
from halfulp_formal.findings import Finding
from halfulp_formal.findings_report import FINDINGS
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.nearest import nearest
from halfulp_formal.subject import BASE, RulePatch, SourcePatch, base_subject, model_sources, shipped_document

from .misfit import shown
from .patch import SCHEMA

HEADER = f"""\
# An amendment of the specification. Check it with: halfulp amend FILE
# Every changed value needs a reason in its own mapping or in one around it.
schema: {SCHEMA}"""

#: stands where the author has to say why
REASON = "why this should change"

#: fields of rows that say nothing about what a conversion does
SILENT = ("source", "claims", "subnormal_boundaries")


def skeleton(name: str, path: Path) -> dict[Path, str]:
    """Return the files of a skeleton by path. Raises UnknownName for what is neither a finding nor a conversion."""
    findings = {finding.key: finding for finding in FINDINGS}
    if name in findings:
        return of_finding(findings[name], path)
    if name in catalogue.conversions():
        return {path: of_conversion(name)}
    near = nearest(name, [*findings, *catalogue.conversions()])
    hint = f"; did you mean {near!r}?" if near else f"; expected a conversion or one of {', '.join(findings)}"
    raise catalogue.UnknownName(f"no finding or conversion is called {name!r}{hint}")


def of_finding(finding: Finding, path: Path) -> dict[Path, str]:
    """Return the amendment that makes the sentence of a finding true, as far as it is known."""
    mistake = MISTAKES[finding.mistake]
    rules = [patch for patch in mistake.patches if isinstance(patch, RulePatch)]
    sources = [patch for patch in mistake.patches if isinstance(patch, SourcePatch)]
    what = mistake.what[0].upper() + mistake.what[1:]
    said = f"The sentence “{finding.sentence}” ({finding.source}) is false: {finding.code}."
    lines = [HEADER, f"title: {shown(what)}", "question: >-", *wrapped(said)]
    files = {}
    if rules:
        lines += ["rules:", *changed_rules(rules, finding)]
    if sources:
        functions = path.with_name(path.stem.replace("-", "_") + ".py")
        files[functions] = replacement(sources, what)
        lines.append(f"functions: {functions.name}")
    lines.append("# The first run of halfulp amend says what else to expect. The finding is about")
    lines += [f"#   {name}" for name in catalogue.conversions() if applies(finding, name)]
    lines += ["expect:", f"  findings: {{disappear: [{finding.key}]}}"]
    return {path: "\n".join(lines) + "\n", **files}


def applies(finding: Finding, name: str) -> bool:
    """Tell whether a conversion has the obligations of a finding."""
    return any(kind.name == finding.key for kind in catalogue.kinds_of(name)) and finding.applies(name)


def wrapped(text: str) -> list[str]:
    """Return a text as the lines of a folded block."""
    return textwrap.wrap(text, 110, initial_indent="  ", subsequent_indent="  ", break_long_words=False)


def headings(before: tuple[str, ...], place: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield the keys above a place that another one before it does not have, each with its depth."""
    for depth, part in enumerate(place):
        if before[: depth + 1] != place[: depth + 1]:
            yield depth, part


def changed_rules(patches: list[RulePatch], finding: Finding) -> Iterator[str]:
    """Yield changed values as a nested mapping, each with the base's value and a reason."""
    before: tuple[str, ...] = ()
    for patch in patches:
        place, key = patch.path[:-1], patch.path[-1]
        yield from (f"{'  ' * (depth + 1)}{part}:" for depth, part in headings(before, place))
        node: Any = shipped_document()[0]
        for part in patch.path:
            node = node[part]
        indent = "  " * (len(place) + 1)
        yield f"{indent}{key}: {shown(patch.value)}  # {shown(node)} in the base"
        if before != place:
            yield f"{indent}reason: {shown(finding.source)}"
        before = place


def replacement(patches: list[SourcePatch], what: str) -> str:
    """Return a file with the changed functions of the model, and the imports that they need."""
    functions: list[str] = []
    imports: set[tuple[str, str]] = set()
    for patch in patches:
        shipped = dict(model_sources())[patch.module]
        changed = shipped.replace(patch.old, patch.new)
        old = {node.name: ast.unparse(node) for node in definitions(shipped)}
        for node in definitions(changed):
            if ast.unparse(node) != old.get(node.name):
                text = ast.get_source_segment(changed, node) or ""
                functions.append(f'@replaces("{patch.module}.{node.name}")\n{text}\n')
                imports |= set(mentioned(patch.module, node))
    lines = [f'"""{what}."""', "", "from halfulp_formal.amend import replaces"]
    lines += [
        f"from {home} import {', '.join(sorted(name for each, name in imports if each == home))}"
        for home in sorted({home for home, _ in imports})
    ]
    return "\n".join(lines) + "\n\n\n" + "\n\n".join(functions)


def definitions(source: str) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module."""
    return (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))


def mentioned(module: str, node: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """Yield home and name of everything of the model's that a function mentions."""
    known = vars(base_subject().module(module))
    own = {argument.arg for argument in node.args.args} | {node.name}
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and each.id in known and each.id not in own:
            found = known[each.id]
            home = BASE if inspect.ismodule(found) else getattr(found, "__module__", "")
            yield home if home.startswith(BASE) else f"{BASE}.{module}", each.id


def of_conversion(name: str) -> str:
    """Return a skeleton with every row that a conversion reads, its values in comments."""
    lines = [HEADER, f"title: A change of {name}", "question: >-", "  What would change if"]
    lines += ["# Take away the # before what is to change, with all that stands above it, and give a reason.", "rules:"]
    before: tuple[str, ...] = ()
    for place, row in rows_of(name):
        lines += [f"  # {'  ' * depth}{part}:" for depth, part in headings(before, place)]
        before, indent = place, "  " * len(place)
        lines.append(f"  # {indent}reason: {REASON}")
        lines += [f"  # {indent}{key}: {shown(value)}" for key, value in row.items() if key not in SILENT]
    lines += [
        "# Or replace functions of the model, in a Python file beside this one:",
        f"# functions: {name.replace('.', '_')}.py",
        "# What is expected of it; names may be patterns.",
        "expect:",
        f"  changed: [{name}]",
    ]
    return "\n".join(lines) + "\n"


def rows_of(name: str) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Yield the rows of the rule data that a conversion's name speaks of, each with its place."""
    document = shipped_document()[0]
    parts = name.split(".")
    mode = next((row for key, row in document["prequant"].items() if key.lower() == parts[0]), None)
    words = set(parts)
    rule_set, destination = "ieee-ocp", parts[2] if parts[0] == "cvt" else ""
    if mode is not None:
        rule_set, destination = "pto", mode.get("destination", "").lower()
        words |= {*map(str.lower, mode["accumulators"]), mode["rounding"].lower(), destination}
    for section in ("prequant", "rounding", "formats", "blocks", "crrnd", "scale_rules"):
        for key, row in document[section].items():
            if key.lower() in words:
                yield (section, key), row
    for key, row in document["encoders"][rule_set].items():
        if key.lower() == destination:
            yield ("encoders", rule_set, key), row
    for key, family in (("tcvt", "e8m0"), ("mx_scale", "scale")):
        if parts[0] == family:
            yield ("scale_tables", key), {"range": document["scale_tables"][key]["range"]}
