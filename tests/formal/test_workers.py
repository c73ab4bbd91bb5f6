import os

import pytest

from halfulp_formal import workers
from halfulp_formal.workers import is_memory_told, own_memory, resident


@pytest.mark.skipif(not is_memory_told(), reason="the system does not tell how much memory is in use")
def test_memory_in_use_is_told_and_grows():
    before = resident(os.getpid())
    held = bytearray(64 << 20)
    assert 1 << 20 < before < resident(os.getpid()) - (32 << 20)
    assert own_memory() > len(held)


@pytest.mark.parametrize("pid", [None, -1, 1 << 40])
def test_no_process_uses_no_memory(pid):
    assert resident(pid) == 0


def test_a_system_that_tells_nothing_has_the_peak_or_nothing(monkeypatch):
    monkeypatch.setattr(workers, "resident", lambda _: 0)
    assert not is_memory_told()
    assert own_memory() > 1 << 20
    monkeypatch.setattr(workers, "find_spec", lambda _: None)
    assert own_memory() == 0
