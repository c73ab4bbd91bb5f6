"""A study as text for people: what is not as expected first, then what changes, then what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from halfulp_formal.explain import Explanation, as_lines
from halfulp_formal.obligation import Verdict
from halfulp_formal.wording import counted

from .expecting import exit_code, section, surprises
from .misfit import shown
from .outcome import NOT_ASKED, Entry, Sentence, Status, Study, Where
from .scope import mode_of

#: vector cases that are shown one by one; the rest is counted
MOST_CASES = 4
#: conversions that are named for one sentence
MOST_NAMES = 4

#: how the statuses are told, in the order in which they are told
TOLD = {
    Status.ERROR: "in error",
    Status.UNDECIDED: "undecided",
    Status.CHANGED: "changed",
    Status.NEW: "new",
    Status.REMOVED: "removed",
    Status.UNCHANGED: "proved unchanged",
    Status.UNTOUCHED: "untouched",
    Status.NOT_COMPARED: "touched and not compared",
}


def headline(study: Study) -> str:
    """Say in one line whether all is as expected, and what was proposed."""
    word = {0: "AS EXPECTED", 1: "NOT AS EXPECTED", 3: "UNDECIDED", 4: "ERROR"}[exit_code(study)]
    return f"{word}: {study.amendment.title}"


def tally(study: Study) -> str:
    """Count the conversions by what becomes of them."""
    counts = Counter(entry.status for entry in study.entries)
    return ", ".join(f"{counts[status]:,} {told}" for status, told in TOLD.items() if counts[status])


def text_lines(study: Study) -> Iterator[str]:
    """Yield the report for people: what is not as expected first, then what changes, then what follows from it."""
    yield headline(study)
    yield f"{tally(study)} ({study.engine})"
    if study.amendment.expects is not None:
        yield from (f"  {line}" for line in surprises(study))
    for entry in study.having(Status.ERROR, Status.UNDECIDED):
        yield f"  {entry.name} is {entry.status.value}: {entry.proof.detail if entry.proof else ''}"
    yield from change_lines(study)
    shown_modes: set[str] = set()
    for entries in groups(study.having(Status.CHANGED)):
        yield ""
        yield from changed_lines(entries, shown_modes)
    yield from new_lines(study)
    yield from unchanged_lines(study)
    yield from sentence_lines(study)
    yield from partial_lines(study)
    yield from vector_lines(study)
    if study.amendment.expects is None:
        yield ""
        yield "no expect section; this one fits the outcome:"
        yield from section(study)


def change_lines(study: Study) -> Iterator[str]:
    """Yield what the amendment changes."""
    yield ""
    for change in study.amendment.changes:
        if change.old is None:
            yield f"adds      {change.place}: {shown(change.new)}"
        elif change.new is None:
            yield f"removes   {change.place}: {shown(change.old)}"
        else:
            yield f"changes   {change.place}: {shown(change.old)} -> {shown(change.new)}"
    for function in study.amendment.functions:
        yield f"replaces  {function}"
    if all(entry.status is Status.UNTOUCHED for entry in study.entries):
        yield "touches   nothing: no conversion calls what is replaced or reads what is changed"


def groups(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return conversions with those that share their proof behind them."""
    found: dict[str, list[Entry]] = {entry.name: [entry] for entry in entries if not entry.shares}
    for entry in entries:
        if entry.shares:
            found[entry.shares].append(entry)
    return list(found.values())


def changed_lines(entries: Sequence[Entry], shown_modes: set[str]) -> Iterator[str]:
    """Yield what is known of a changed conversion; the witness in full for the first one of each mode."""
    first = entries[0]
    twins = f" and its twin {entries[1].name}, the same query" if len(entries) > 1 else ""
    yield f"CHANGED {first.name}{twins}"
    yield from (f"  {line}" for line in where_lines(first.where))
    yield from (f"  {line}" for line in count_lines(first))
    mode = mode_of(first.name)
    base, amended = first.versions
    if base is None or amended is None:
        witness = first.proof.witness if first.proof is not None else None
        yield from (f"  witness   {name} = {value:#x}" for name, value in sorted((witness or {}).items()) if value)
        yield from (f"  becomes   {name}: {before} -> {after}" for name, before, after in first.outputs)
        return
    if mode in shown_modes:
        yield f"  witness   {base.command}"
        yield f"            {outcome(base)} becomes {outcome(amended)}"
        return
    shown_modes.add(mode)
    yield from labelled("base", as_lines(base))
    yield from labelled("amended", as_lines(apart(base, amended))[1:])
    yield f"  replay    {base.command}"


def apart(base: Explanation, amended: Explanation) -> Explanation:
    """Return the amended version with the stages that the base has not."""
    return replace(amended, stages=tuple(stage for stage in amended.stages if stage not in base.stages))


def outcome(explanation: Explanation) -> str:
    """Return a result in one phrase."""
    found = explanation.outcome
    if not found:
        return explanation.failure or "nothing"
    if "fault" in found:
        return "legal" if found["fault"] is None else f"{found['fault']} by {found.get('rule', 'no rule')}"
    told = [str(found[key]) for key in ("out", "flags", "class") if key in found]
    value = f" ({found['value']})" if "value" in found else ""
    return f"{told[0] if told else found}{value}" + (f", {', '.join(told[1:])}" if told[1:] else "")


def one_line(entry: Entry) -> str:
    """Return in one line what becomes of a changed conversion at the witness."""
    base, amended = entry.versions
    if base is not None and amended is not None:
        return f"CHANGED {entry.name}: {outcome(base)} becomes {outcome(amended)}: {base.command}"
    return f"CHANGED {entry.name}: {', '.join(f'{name}: {one} -> {two}' for name, one, two in entry.outputs)}"


def where_lines(where: Where | None) -> Iterator[str]:
    """Yield where versions differ."""
    if where is None or not (where.region.around or where.region.inside):
        yield "where     not known: no declared predicate was proved of it"
    elif where.region.exact:
        yield f"where     exactly where {where.around} (PROVED)"
    else:
        yield f"where     only where {where.around} (PROVED)"
        if where.inside is not None:
            yield f"          and at least where {where.inside} (PROVED)"


def count_lines(entry: Entry) -> Iterator[str]:
    """Yield how many inputs differ, or why that is not known."""
    if entry.count is not None:
        number = entry.count
        held = ", ".join(f"{name.removeprefix('in.')} {value:#x}" for name, value in number.fixed.items())
        under = f" under {held}" if held else ""
        yield f"number    {number.differing:,} of {counted(number.inputs, 'input')}{under}, counted"
    elif entry.uncounted and entry.uncounted != NOT_ASKED:
        yield f"number    not counted: {entry.uncounted}"


def labelled(label: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield lines with a label before the first and an indent before the others."""
    for place, line in enumerate(lines):
        yield f"  {label if not place else '':8}  {line}"


def new_lines(study: Study) -> Iterator[str]:
    """Yield the conversions that one model has and the other has not."""
    for mode, entries in by_mode(study.having(Status.NEW)).items():
        verdicts = Counter(
            entry.total.verdict.name if entry.total is not None else "NOT LOOKED AT" for entry in entries
        )
        told = ", ".join(f"{number:,} {verdict}" for verdict, number in verdicts.items())
        yield ""
        yield f"NEW {told_names(mode, entries)}: a result for every legal input: {told}"
        equals = {entry.equals.split(".", maxsplit=1)[0] for entry in entries if entry.equals}
        if equals and all(entry.equals for entry in entries):
            yield f"  the same functions as those of {', '.join(sorted(equals))}, each one term with its like"
    for mode, entries in by_mode(study.having(Status.REMOVED)).items():
        yield f"REMOVED {told_names(mode, entries)}"


def by_mode(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Return conversions by the first part of their name."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(mode_of(entry.name), []).append(entry)
    return found


def told_names(mode: str, entries: Sequence[Entry]) -> str:
    """Return the conversions of a mode in few words: by name, or how many."""
    if len(entries) <= 2:
        return ", ".join(entry.name for entry in entries)
    return f"{mode}: {len(entries):,} conversions"


def unchanged_lines(study: Study) -> Iterator[str]:
    """Yield the conversions that are touched and proved unchanged."""
    found = study.having(Status.UNCHANGED)
    if found:
        yield ""
    for mode, entries in by_mode(found).items():
        how = "PROVED the same for every legal input"
        identical, shared = sum(entry.identical for entry in entries), sum(bool(entry.shares) for entry in entries)
        parts = [f"{identical:,} of them one term in both versions"] if identical else []
        parts += [f"{shared:,} by the same query as their scalar twins"] if shared else []
        yield f"UNCHANGED {told_names(mode, entries)}: {how}{'; ' if parts else ''}{', '.join(parts)}"


def sentence_lines(study: Study) -> Iterator[str]:
    """Yield the sentences that stop or start holding."""
    if not study.asked:
        return
    yield ""
    yield f"sentences: {study.asked:,} put to the amended model, {len(study.sentences):,} with another verdict than before"
    for (what, sentence, _), those in alike(study.sentences).items():
        names = ", ".join(each.name for each in those[:MOST_NAMES])
        more = f" and {len(those) - MOST_NAMES:,} more" if len(those) > MOST_NAMES else ""
        yield f"  {what}: {names}{more}"
        yield f"    {sentence} ({those[0].source})"
        yield from (f"    {each.after.detail}" for each in those if each.after.detail)


def alike(sentences: Sequence[Sentence]) -> dict[tuple[str, str, str], list[Sentence]]:
    """Return sentences by what becomes of them and what they say; those that only follow from a finding come last."""
    found: dict[tuple[str, str, str], list[Sentence]] = {}
    for each in sorted(sentences, key=lambda each: each.condition):
        found.setdefault((fate_of(each), each.sentence, each.source), []).append(each)
    return found


def fate_of(each: Sentence) -> str:
    """Say what becomes of a sentence."""
    if each.appears or each.disappears:
        return "finding appears" if each.appears else "finding disappears"
    if each.condition and each.after.verdict is Verdict.REFUTED:
        return "a finding's condition is another one"
    return f"{each.before.name} before, {each.after.verdict.name} after"


def partial_lines(study: Study) -> Iterator[str]:
    """Yield the conversions that lose totality."""
    for entry in study.partial:
        assert entry.total is not None
        yield f"NOT TOTAL {entry.name}: {entry.total.verdict.name} that it has a result for every legal input"


def vector_lines(study: Study) -> Iterator[str]:
    """Yield the shipped cases whose expected values change."""
    if not study.vector_files:
        return
    counts = Counter(each.file for each in study.vectors)
    yield ""
    yield (
        f"vectors: {counted(study.vector_files, 'file')} of changed conversions, "
        f"{counted(len(study.vectors), 'case')} with other outputs"
    )
    for file, number in counts.items():
        yield f"  {file}: {number:,}"
    for each in study.vectors[:MOST_CASES]:
        yield f"  {each.file}:{each.line} {each.corner}: {paired(each.old)} -> {paired(each.new)}"
    if len(study.vectors) > MOST_CASES:
        yield f"  … and {len(study.vectors) - MOST_CASES:,} more, all of them in the JSON"


def paired(values: dict[str, str]) -> str:
    """Return named values as words."""
    return " ".join(f"{name}={value}" for name, value in values.items())
