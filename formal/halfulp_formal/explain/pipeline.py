"""The stages of a post-processing conversion, made from the calls that the model's own pipeline made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from halfulp_formal.subject import Subject

from .codes import show_quanta
from .numerals import decimal_text, exact_text, hex_text, value_text
from .postprocess import Case, Element, Product, arguments, outcome, run
from .stages import Explanation, Stage, command_for
from .trace import Call, Trace, trace

RELU_MODES = ("no activation", "ReLU", "scalar activation", "vector activation")


def summary(conversion: Any) -> str:
    """Say in one line what a conversion is."""
    mode = conversion.mode
    path = [conversion.accumulator.name + {"scale": " × FP19", "shift": " >> places", "none": ""}[mode.parameter.value]]
    if mode.offset_bits:
        path.append(f"S{mode.offset_bits} + offset")
    path.append(conversion.destination.name)
    if mode.parameter.value == "shift":
        return f"{' → '.join(path)}, rounded down, clamped"
    # where the mode has no Sat there is nothing to say of it
    saturate = f", Sat {int(conversion.saturate)}" if mode.saturate == "programmable" else ""
    return f"{' → '.join(path)}, {conversion.rounding.name}{saturate}"


def explain(subject: Subject, case: Case) -> Explanation:
    """Run the model on a case and tell its stages."""
    conversion = case.conversion
    stages, failure = list(first_stages(subject, case)), ""
    if isinstance(case, Element) and not is_legal(subject, case):
        failure = "the model rejects these parameters"
        ran = Trace()
    else:
        ran = trace(subject.package, lambda: run(subject, case))
        failure = ran.failure
        stages += call_stages(subject, conversion, ran.calls, failed=bool(ran.failure))
    result: dict[str, Any] = {}
    if not failure:
        result = outcome(subject, conversion, ran.result)
        stages += last_stages(conversion, result, ran.result)
    words = [f"{key}={text}" for key, text in arguments(subject, case).items()]
    return Explanation(
        conversion=conversion.name,
        summary=summary(conversion),
        command=command_for(conversion.name, words),
        stages=tuple(stages),
        outcome=result,
        failure=failure,
    )


def call_stages(subject: Subject, conversion: Any, calls: Iterable[Call], *, failed: bool) -> Iterator[Stage]:
    """Yield the stages that the model's calls for one element were; of a run that failed, those that came to an end."""
    for call in calls:
        show = SHOWN.get((call.function, call.caller), SHOWN.get((call.function, "")))
        if show is not None and not (failed and call.result is None):
            yield from show(subject, conversion, call)


def is_legal(subject: Subject, case: Element) -> bool:
    """Ask the model whether the parameters are legal."""
    return bool(subject.module("postprocess").legal(case.conversion, case.relu, case.quant_word, case.relu_word))


def first_stages(subject: Subject, case: Case) -> Iterator[Stage]:
    """Yield what a case starts from: the accumulator and the activation's path, or the product."""
    conversion = case.conversion
    if isinstance(case, Product):
        yield Stage("product", decimal_text(case.product), exact=exact_text(case.product), note="given")
        if conversion.mode.offset_bits:
            yield offset_stage(conversion, case.offset)
        return
    yield accumulator_stage(subject, conversion, case.value)
    if case.relu:
        yield Stage("relu", str(case.relu), note=relu_text(case.relu))
    if not is_legal(subject, case):
        yield Stage("quant_word", "", hex_text(case.quant_word, 64))
        yield Stage("relu_word", "", hex_text(case.relu_word, 64))


def accumulator_stage(subject: Subject, conversion: Any, value: int) -> Stage:
    """Return the stage of an accumulator, which says whether it takes the activation's path."""
    fmt = conversion.accumulator
    text, exact = value_text(subject, fmt, value)
    negative = subject.module("postprocess").source_negative(conversion, value)
    path = "negative path" if negative else "not negative"
    return Stage("accumulator", text, hex_text(value, fmt.code_bits), fmt.name, exact, path)


def relu_text(relu: int) -> str:
    """Say what a ReluMode is."""
    return RELU_MODES[relu] if relu < len(RELU_MODES) else "reserved"


def last_stages(conversion: Any, result: Mapping[str, Any], raw: Any) -> Iterator[Stage]:
    """Yield the word and the flags."""
    destination = conversion.destination
    out = "" if result["out"] == result["word"] else result["out"]
    yield Stage("out", str(result["value"]), out, destination.name)
    yield Stage("word", "", result["word"])
    yield Stage("flags", result["flags"], hex_text(raw.flags, 5))


def offset_stage(conversion: Any, offset: int) -> Stage:
    """Return the stage of an offset."""
    bits = conversion.mode.offset_bits
    return Stage("offset", str(offset), hex_text(offset, bits), f"S{bits}")


def show_factor(subject: Subject, conversion: Any, call: Call) -> Iterator[Stage]:
    """The selected factor: scale, 1, activation or 0."""
    model, arguments = subject.module("postprocess"), call.arguments
    factor = call.result
    relu = arguments["relu"]
    if relu and model.source_negative(conversion, arguments["value"]):
        parameters = subject.module("parameters")
        bits = hex_text(parameters.activation_bits(conversion.layout, arguments["relu_word"]), 19) if relu > 1 else ""
        note = "the activation in place of the scale" if relu > 1 else "ReLU puts zero in place of the scale"
    elif conversion.mode.parameter.value == "scale":
        scale = subject.module("parameters").scale_bits(conversion.layout, arguments["quant_word"])
        bits, note = hex_text(scale, 19), "scale"
    else:
        bits, note = "", "no scale"
    yield Stage("factor", decimal_text(factor), bits, conversion.fp19.name if bits else "", exact_text(factor), note)


def show_special(_subject: Subject, _conversion: Any, call: Call) -> Iterator[Stage]:
    """Whether a NaN or an infinity leaves the pipeline here."""
    note = "a NaN or an infinity has its own result" if call.result else ""
    yield Stage("special", "yes" if call.result else "no", note=note)


def show_offset(_subject: Subject, conversion: Any, call: Call) -> Iterator[Stage]:
    """The offset in the parameter word, of a mode that has one."""
    if conversion.mode.offset_bits:
        yield offset_stage(conversion, call.result)


def show_product(_subject: Subject, _conversion: Any, call: Call) -> Iterator[Stage]:
    """The exact product."""
    yield Stage("product", decimal_text(call.result), exact=exact_text(call.result))


def show_integer_stages(subject: Subject, conversion: Any, call: Call) -> Iterator[Stage]:
    """Rounding, intermediate saturation and offset of an integer destination."""
    stages, mode = call.result, conversion.mode
    whole = subject.module("exact").is_integer(call.arguments["product"])
    yield Stage("rounded", str(stages.rounded), note=f"{conversion.rounding.name}, {'exact' if whole else 'inexact'}")
    if mode.offset_bits:
        note = "" if stages.intermediate == stages.rounded else "saturated"
        bits = hex_text(stages.intermediate, mode.offset_bits)
        yield Stage("intermediate", str(stages.intermediate), bits, f"S{mode.offset_bits}", note=note)
    fits = subject.module("integers").in_range(stages.total, conversion.destination)
    action = "clamped" if conversion.saturate else f"wrapped to its low {conversion.destination.code_bits} bits"
    note = "" if fits else f"does not fit {conversion.destination.name}: {action}"
    yield Stage("total", str(stages.total), note=note)


def show_places(_subject: Subject, _conversion: Any, call: Call) -> Iterator[Stage]:
    """The places of a shift."""
    yield Stage("shift", str(call.result), note=f"places; code {call.result - 1}")


def show_shifted(_subject: Subject, conversion: Any, call: Call) -> Iterator[Stage]:
    """The shifted value, before it goes into the destination."""
    value = call.arguments["value"]
    note = "" if call.result == value else f"does not fit {conversion.destination.name}: {call.function}"
    yield Stage("shifted", str(value), note=note)


def show_negative_zero(_subject: Subject, _conversion: Any, call: Call) -> Iterator[Stage]:
    """A -0 that is kept."""
    if call.result:
        yield Stage("-0", "kept", note="a factor that is not zero keeps it where the destination has one")


#: how a call of the model becomes stages: by function and caller, or by function whoever calls it
SHOWN: dict[tuple[str, str], Callable[[Subject, Any, Call], Iterator[Stage]]] = {
    ("select_multiplier", ""): show_factor,
    ("is_special", ""): show_special,
    ("offset_value", ""): show_offset,
    ("exact_product", ""): show_product,
    ("integer_stages", ""): show_integer_stages,
    ("shift_places", "shift_element"): show_places,
    ("clamp", "shift_element"): show_shifted,
    ("wrap", "shift_element"): show_shifted,
    ("is_kept_negative_zero", ""): show_negative_zero,
    ("round_magnitude", "encode"): show_quanta,
}
