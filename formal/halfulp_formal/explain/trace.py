"""What the model really did: its own calls, recorded while it runs, so that nothing has to be computed a second time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from .stages import Stage


@dataclass
class Call:
    """One call of a function of the model: where it is, what it was given and what it returned."""

    module: str  #: without the package: "postprocess"
    function: str
    caller: str  #: the function that called it, "" outside the model
    arguments: Mapping[str, Any]
    result: Any = None


@dataclass
class Trace:
    """The calls of a run in the order in which they began, and what the run came to."""

    calls: list[Call] = field(default_factory=list)
    result: Any = None
    failure: str = ""  #: that the model raised something, in one line


def trace(package: str, run: Callable[[], Any]) -> Trace:
    """Run something and record every call of a function of the package's modules."""
    recorded = Trace()
    running: dict[int, Call] = {}
    prefix = f"{package}."

    def hear(frame: FrameType, event: str, value: Any) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        if not module.startswith(prefix):
            return
        if event == "call":
            back = frame.f_back
            inside = back is not None and str(back.f_globals.get("__name__", "")).startswith(prefix)
            caller = back.f_code.co_name if back is not None and inside else ""
            call = Call(module.removeprefix(prefix), frame.f_code.co_name, caller, dict(frame.f_locals))
            recorded.calls.append(call)
            running[id(frame)] = call
        elif event == "return" and id(frame) in running:
            running.pop(id(frame)).result = value

    before = sys.getprofile()
    sys.setprofile(hear)
    try:
        recorded.result = run()
    except Exception as error:  # noqa: BLE001  # a wrong model may raise anything, and that is what there is to explain
        recorded.failure = raised(error)
    finally:
        sys.setprofile(before)
    return recorded


def told(tell: Callable[[], tuple[Iterable[Stage], dict[str, Any]]]) -> tuple[tuple[Stage, ...], dict[str, Any], str]:
    """Return stages and outcome of a case that needs no trace; or neither of them, and what the model raised."""
    try:
        stages, outcome = tell()
        return tuple(stages), outcome, ""
    except Exception as error:  # noqa: BLE001  # a wrong model may raise anything, and that is what there is to explain
        return (), {}, raised(error)


def raised(error: Exception) -> str:
    """Say in one line what the model raised."""
    return f"the model raises {type(error).__name__}: {' '.join(str(error).split())}"
