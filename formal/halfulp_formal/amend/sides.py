"""What a conversion does under one model, as terms: the two sides of a comparison, one adapter a family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE

from halfulp_formal.case import CallReplay, Case, part
from halfulp_formal.families import adder, blocks, fp19, fpatr, matmul, plain, postprocess, reductions, scales, tiles
from halfulp_formal.families import formats as format_family
from halfulp_formal.families.family import Family
from halfulp_formal.lift.interpreter import Lifter, SideCondition
from halfulp_formal.lift.merge import over_choice
from halfulp_formal.lift.values import Choice, Int, Record, conjoin, symbol, truth_term
from halfulp_formal.properties.matmul import free_row, terms_of
from halfulp_formal.properties.numbers import equal, iff, implies
from halfulp_formal.properties.reductions import accumulator_of
from halfulp_formal.subject import Subject

#: an output: a number, or a claim; with the condition under which it means anything
Output = tuple[str, Any, FNode]


@dataclass(frozen=True)
class Side:
    """A lifted conversion: which inputs are legal, its outputs by name, and what the model must not break."""

    case: Any  #: the family's lifted case, None for a format
    legal: FNode
    outputs: tuple[Output, ...]
    conditions: tuple[SideCondition, ...]
    inputs: tuple[FNode, ...]
    replays: tuple[CallReplay, ...]
    preferred: Mapping[str, int]
    cubes: tuple[FNode, ...] = ()

    @property
    def total(self) -> FNode:
        """The conjunction of all side conditions."""
        return conjoin(*(condition.term for condition in self.conditions))


@dataclass(frozen=True)
class Adapter:
    """How a family is compared.

    names: its conversions under a model. rows: the resolved rows that a conversion's functions are given. entries: the
    functions that carry it out, as module and name. lift: a conversion under a model.
    """

    family: Family
    names: Callable[[Subject], Mapping[str, Any]]
    entries: tuple[tuple[str, str], ...]
    lift: Callable[[Subject, str], Side]


def numbers(*outputs: tuple[str, Any]) -> tuple[Output, ...]:
    """Return outputs that always mean something."""
    return tuple((name, value, TRUE()) for name, value in outputs)


def result(record: Any) -> tuple[Output, ...]:
    """Return the outputs of a model's Result."""
    return numbers(("word", part(record, "word")), ("flags", part(record, "flags")))


def simple(case: Any, outputs: tuple[Output, ...], legal: FNode | None = None, **more: Any) -> Side:
    """Return the side of a case that keeps its lifter."""
    conditions = tuple(case.lifter.side_conditions)
    more = {"preferred": {}, **({} if "inputs" in more else {"inputs": case.inputs}), **more}
    return Side(case, TRUE() if legal is None else legal, outputs, conditions, replays=case.replays, **more)


def lift_element(subject: Subject, name: str) -> Side:
    """Lift a conversion of the post-processing: word and flags of legal inputs, parameters before the accumulator."""
    case = Case(subject, name)
    legal, element = case.legal, case.element
    value, relu, quant_word, relu_word = case.inputs
    preferred = {"in.relu": 0, "in.quant_word": plain_parameter(case.conversion), "in.relu_word": 0}
    return simple(case, result(element), legal, inputs=(relu, quant_word, relu_word, value), preferred=preferred)


def plain_parameter(conversion: Any) -> int:
    """Return the parameter word that changes nothing: a scale of one, or zero."""
    if conversion.mode.parameter.value != "scale":
        return 0
    one = 1 << (conversion.fp19.exponent_bits - 1)
    scale: int = (one - 1) << conversion.fp19.fraction_bits << conversion.layout.scale.low
    return scale


def lift_plain(subject: Subject, name: str) -> Side:
    """Lift a plain conversion."""
    case = plain.PlainCase(subject, name)
    legal = case.legal
    return simple(case, result(case.result), legal)


def lift_scale(subject: Subject, name: str) -> Side:
    """Lift a conversion to a power-of-two scale."""
    case = scales.ScaleCase(subject, name)
    word, flags = case.result(case.code)
    return simple(case, numbers(("word", word), ("flags", flags)))


def lift_fp19(subject: Subject, name: str) -> Side:
    """Lift the conversion that makes a scale of the parameter word."""
    case = fp19.Fp19Case(subject, name)
    return simple(case, numbers(("word", case.result(case.code))))


def lift_block(subject: Subject, name: str) -> Side:
    """Lift a block conversion; an uncharacterised block has no mantissas to compare."""
    case = blocks.BlockCase(subject, name)
    found = case.convert(case.members)
    values = (("exponent", found.exponent), *((f"mantissa{i}", each) for i, each in enumerate(found.mantissas)))
    outputs = tuple((key, value, found.characterised) for key, value in values)
    return simple(case, (("characterised", found.characterised, TRUE()), *outputs))


def lift_adder(subject: Subject, name: str) -> Side:
    """Lift an addition."""
    case = adder.AdderCase(subject, name)
    found = case.lifter.call(case.model.add, case.adder, case.left, case.right)
    return simple(case, result(found), cubes=tuple(adder.cubes(case)))


def lift_format(subject: Subject, name: str) -> Side:
    """Lift a format: validity, class, value, order key and lanes of codes, the codes of numbers, and its descriptor."""
    row, model = format_rows(subject)[name], subject.module("formats")
    lifter = Lifter(subject.package)
    code = symbol(f"in.bits.{row.code_bits}", 0, (1 << row.code_bits) - 1)
    valid = truth_term(lifter.call(model.is_valid, row, code))
    found = lifter.call(model.classify, row, code)
    classes: Any = type(found.options[0][1] if isinstance(found, Choice) else found)
    order = list(classes)
    place: Any = over_choice(found, order.index) if isinstance(found, Choice) else order.index(found)
    decomposed = lifter.call(model.decompose, row, code)
    available = truth_term(part(decomposed, "available"))
    parts = [(key, part(decomposed, key), available) for key in ("significand", "exponent")]
    negative = ("negative", truth_term(part(decomposed, "negative")), available)
    always = (("valid", valid, TRUE()), ("class", place, TRUE()), ("has a value", available, TRUE()))
    key = ("order key", lifter.call(model.order_key, row, code), valid)
    carrier = symbol(f"in.carrier.{row.carrier_bits}", 0, (1 << row.carrier_bits) - 1)
    lanes = [(f"lane{place}", lane) for place, lane in enumerate(lifter.call(model.lanes, row, carrier))]
    described = int.from_bytes(sha256(repr(model.descriptor(row)).encode()).digest(), "big")
    inputs: tuple[FNode, ...] = (code.term, carrier.term)
    encoded: tuple[Output, ...] = ()
    if name in format_family.FAMILY.conversions():
        free = format_family.FormatCase(subject, name).free_number()
        exact = subject.module("exact").Exact
        number = Record(exact, dict(zip(exact._fields, free.number, strict=True)))
        found = lifter.call(model.encode_exact, row, number)
        has_code = truth_term(part(found, "available"))
        encoded = (("has a code", has_code, TRUE()), ("code", part(found, "bits"), has_code))
        inputs += free.inputs
    return Side(
        case=None,
        legal=TRUE(),
        outputs=(*always, negative, *parts, key, *numbers(*lanes, ("descriptor", described)), *encoded),
        conditions=tuple(lifter.side_conditions),
        inputs=inputs,
        replays=tuple(CallReplay(call) for call in lifter.calls),
        preferred={},
    )


def lift_word(subject: Subject, name: str) -> Side:
    """Lift the reading of a B.FPATR word: its fields, and which rule it breaks if any."""
    case = fpatr.FpatrCase(subject, name)
    fields = case.decode(case.word)
    written = ("encoded", case.encode(case.attributes))
    inputs = (*case.inputs, *case.attribute_inputs)
    return simple(case, numbers(("rule", case.rule(case.word)), *fields.items(), written), inputs=inputs)


def lift_legality(subject: Subject, name: str) -> Side:
    """Lift the legality of B.DATR beside a mode, or of a whole operation."""
    case = fpatr.make_case(subject, name)
    legal = case.legal if isinstance(case, fpatr.OperationCase) else case.controls_legal
    return simple(case, (("accepted", legal, TRUE()),))


def word_rows(subject: Subject) -> dict[str, Any]:
    """Return the row of the B.FPATR word."""
    rules = subject.module("loader").default_rules()
    return {fpatr.WORD: (rules.fpatr, rules.legality)}


def legality_rows(subject: Subject) -> dict[str, Any]:
    """Return what decides the legality of controls and of operations."""
    rules = subject.module("loader").default_rules()
    unit = subject.module("api_tile").build_unit(rules)
    return {fpatr.DATR: tuple(rules.modes.values()), **dict.fromkeys(fpatr.OPERATIONS, unit)}


def lift_packing(subject: Subject, name: str) -> Side:
    """Lift the packing of eight blocks into bytes, and the unpacking of bytes."""
    case = matmul.MatmulCase(subject, name)
    rows = [free_row(f"row{index}") for index in range(matmul.SIZE)]
    packed = case.pack(rows)
    data = tuple(symbol(f"in.byte{place}", 0, 255) for place in range(len(packed)))
    unpacked = [value for row in case.unpack(data) for value in (row.exponent, *row.mantissas)]
    values = [(f"byte{place}", byte) for place, byte in enumerate(packed)]
    values += [(f"unpacked{place}", value) for place, value in enumerate(unpacked)]
    return simple(case, numbers(*values), inputs=(*terms_of(*rows), *(byte.term for byte in data)))


def lift_product(subject: Subject, name: str) -> Side:
    """Lift a block sum as an accumulator."""
    case = matmul.MatmulCase(subject, name)
    rows = (free_row("left"), free_row("right"))
    return simple(case, accumulator(case.multiply(*rows)), inputs=terms_of(*rows))


def lift_fold(subject: Subject, name: str) -> Side:
    """Lift the accumulation of two blocks, which is what a longer one repeats."""
    case = matmul.MatmulCase(subject, name)
    code = symbol("in.lane", 0, (1 << 32) - 1)
    left, right = ([free_row(f"{side}{index}_") for index in range(2)] for side in ("left", "right"))
    folded = case.fold(case.lane(code), left, right)
    return simple(case, accumulator(folded), inputs=(code.term, *terms_of(*left, *right)))


def accumulator(lane: matmul.Sum) -> tuple[Output, ...]:
    """Return the outputs of an accumulator; an uncharacterised one has no code to compare."""
    code = part(lane.record, "code")
    return (("characterised", lane.characterised, TRUE()), ("code", code, lane.characterised))


def matrix_rows(name: str) -> Callable[[Subject], dict[str, Any]]:
    """Return what gives the rows behind a part of the matrix unit."""
    return lambda subject: {name: subject.module("matmul").matrix_unit()}


def format_rows(subject: Subject) -> dict[str, Any]:
    """Return the rows of a model's formats by the name of what is claimed of each."""
    return {f"format.{name.lower()}": row for name, row in subject.module("loader").default_rules().formats.items()}


def scale_names(subject: Subject) -> dict[str, Any]:
    """Return both groups of conversions to a power-of-two scale."""
    module = subject.module("api_e8m0")
    return {**module.e8m0_conversions(), **module.scale_conversions()}


def fp19_rows(subject: Subject) -> dict[str, Any]:
    """Return the one conversion of its family with the rows that it reads."""
    rows = subject.module("loader").default_rules().formats
    return {fp19.NAME: (rows["FP32"], rows["FP19"])}


#: what is asked of a format: every function that its claims speak of
READERS = ("is_valid", "classify", "decompose", "order_key", "lanes", "descriptor", "encode_exact")


def reduction_rows(subject: Subject) -> Mapping[str, Any]:
    """Return the row that each reduction reads."""
    rows = subject.module("loader").default_rules().reductions
    return {name: rows[accumulator_of(name).upper()] for name in reductions.NAMES}


def lift_reduction(subject: Subject, name: str) -> Side:
    """Lift the maxima of short rows: of two columns, of one, of one and RowMaxIn, and of two groups."""
    case = reductions.ReductionCase(subject, name)
    one, two, three, *_ = case.elements
    first, last = case.groups(2, (one, two, three))
    shapes = {
        "pair": case.row((one, two)),
        "lone": case.row((one,)),
        "initial": case.row((one,), case.initial),
        "group": first,
        "tail": last,
    }
    outputs: list[tuple[str, Any]] = []
    for shape, found in shapes.items():
        outputs += [(shape, found.value), (f"{shape} flags", Int(found.flags, 0, 31))]
    return simple(case, numbers(*outputs))


def tile_rows(subject: Subject) -> Mapping[str, Any]:
    """Return the rows that each tile reads."""
    rules, rows = subject.module("loader").default_rules(), subject.module("conversions").conversions()
    return {f"tile.{name}": (rows[name], rules.reductions) for name in tiles.CONVERSIONS if name in rows}


def lift_tile(subject: Subject, name: str) -> Side:
    """Return everything that a tile publishes; parameters come before the accumulators."""
    case = tiles.TileCase(subject, name)
    found = case.published
    named = [(f"d {row} {column}", word) for row, words in enumerate(found.d) for column, word in enumerate(words)]
    named += [(f"row_max {row}", word) for row, word in enumerate(found.row_max)]
    named += [
        (f"group_max {row} {group}", word)
        for row, words in enumerate(found.group_max)
        for group, word in enumerate(words)
    ]
    words = tuple(word.term for word in (*case.quant_words, *case.relu_words))
    one = plain_parameter(case.conversion)
    preferred = {word.symbol_name(): one if place < tiles.COLUMNS else 0 for place, word in enumerate(words)}
    inputs = (*words, *(each for each in case.inputs if each not in words))
    return simple(case, numbers(*named, ("flags", found.flags)), inputs=inputs, preferred=preferred)


def packed_rows(subject: Subject) -> Mapping[str, Any]:
    """Return the row that packing reads."""
    return {tiles.PACKED: subject.module("loader").default_rules().formats["S4X2"]}


def lift_packed(subject: Subject, name: str) -> Side:
    """Return the bytes of elements, and the elements of bytes."""
    case = tiles.PackingCase(subject, name)
    named = [(f"byte {index}", each) for index, each in enumerate(case.pack(case.elements))]
    named += [(f"element {index}", each) for index, each in enumerate(case.unpack(case.carriers))]
    return simple(case, numbers(*named))


ADAPTERS: tuple[Adapter, ...] = (
    Adapter(
        postprocess.FAMILY,
        lambda subject: subject.module("conversions").conversions(),
        (("postprocess", "legal"), ("postprocess", "element")),
        lift_element,
    ),
    Adapter(
        plain.FAMILY,
        lambda subject: subject.module("convert").plain_conversions(),
        (("convert", "legal_code"), ("convert", "convert_code")),
        lift_plain,
    ),
    Adapter(format_family.FAMILY, format_rows, tuple(("formats", name) for name in READERS), lift_format),
    Adapter(fp19.FAMILY, fp19_rows, (("floats", "fp32_to_fp19"),), lift_fp19),
    Adapter(scales.FAMILY, scale_names, (("e8m0", "to_scale"),), lift_scale),
    Adapter(
        blocks.FAMILY,
        lambda subject: subject.module("blocks").block_conversions(),
        (("blocks", "encode_block"),),
        lift_block,
    ),
    Adapter(
        fpatr.FAMILY, word_rows, (("fpatr", "decode_word"), ("fpatr", "encode_word"), ("fpatr", "word_rule")), lift_word
    ),
    Adapter(fpatr.FAMILY, legality_rows, (("fpatr", "controls_rule"), ("tile", "broken_rule")), lift_legality),
    Adapter(
        matmul.FAMILY,
        matrix_rows("bfp16_v64"),
        (("bfp16", "pack_v64"), ("bfp16", "unpack_v64")),
        lift_packing,
    ),
    Adapter(matmul.FAMILY, matrix_rows("bfp16_matmul"), (("matmul", "multiply_blocks"),), lift_product),
    Adapter(matmul.FAMILY, matrix_rows("bfp16_fold"), (("matmul", "fold_blocks"),), lift_fold),
    Adapter(
        reductions.FAMILY,
        reduction_rows,
        (("reduction", "row_max"), ("reduction", "initial_row_max"), ("reduction", "group_max")),
        lift_reduction,
    ),
    Adapter(tiles.FAMILY, tile_rows, (("tile", "publish"),), lift_tile),
    Adapter(tiles.FAMILY, packed_rows, (("packing", "pack"), ("packing", "unpack")), lift_packed),
    Adapter(adder.FAMILY, lambda subject: subject.module("adder").adders(), (("adder", "add"),), lift_adder),
)


def same_outputs(base: Side, amended: Side) -> FNode:
    """State that both sides accept the same inputs and give the same outputs wherever both do."""
    agree = []
    for (_, mine, one), (_, theirs, two) in zip(base.outputs, amended.outputs, strict=True):
        if mine is not theirs:
            agree.append(
                implies(conjoin(one, two), iff(mine, theirs) if isinstance(mine, FNode) else same(mine, theirs))
            )
    if base.legal is amended.legal:
        return conjoin(*agree)
    return conjoin(iff(base.legal, amended.legal), implies(conjoin(base.legal, amended.legal), conjoin(*agree)))


def same(mine: Any, theirs: Any) -> FNode:
    """State that two numbers are equal; of one term, without asking."""
    if getattr(mine, "term", mine) is getattr(theirs, "term", theirs) and type(mine) is type(theirs):
        return TRUE()
    return equal(mine, theirs)
