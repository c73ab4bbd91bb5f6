"""FP32 members close to what a block conversion decides on, and claims put to a solver; no test stands here."""

from halfulp_formal.bits import Bits, Bool
from halfulp_formal.decide import Engine, decide
from halfulp_formal.obligation import Obligation

TAILS = (0, 0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x10000, 0x10001, 0x17FFF, 0x18000, 0x1FFFF)


def member(random, exponent):
    """A sign, an exponent field at or some places below the given one, and a fraction around a tie or at an end."""
    field = max(exponent - random.choice([0, 0, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 15, 16, 17, 40, 255]), 0)
    head = random.choice([0, 1, 0x20, 0x3E, 0x3F, 0x3F, random.getrandbits(6)])
    fraction = head << 17 | random.choice([*TAILS, random.getrandbits(17)])
    if random.random() < 0.05:
        fraction = 0
    return random.getrandbits(1) << 31 | field << 23 | fraction


def block(random, size):
    """Members of one scale; seldom an exponent of 255 but often one of its neighbours, and the smallest ones."""
    exponent = random.choice([0, 0, 1, 2, 8, 127, 127, 200, 253, 254, 254, 255, random.randrange(256)])
    return [member(random, exponent) for _ in range(size)]


def symbols(size, prefix):
    """Free FP32 members."""
    return tuple(Bits.symbol(f"{prefix}.x{index}", 32) for index in range(size))


def proof(claim, inputs, *, assuming=None, seconds=20.0):
    """What the solver says about a claim over the inputs."""
    assumption = Bool.constant(True) if assuming is None else assuming
    free = tuple(part.term for part in inputs)
    return decide(
        Obligation("encoding.claim", "encoding", "", "", assumption.term, claim.term, free), Engine(timeout=seconds)
    )
