"""Whether processes that a test started have ended."""

import os
import time
from pathlib import Path


def gone(pid):
    """Whether a process ends within a few seconds; one that nobody has waited for counts as ended."""
    status = Path(f"/proc/{pid}/status")
    for _ in range(500):
        try:
            os.kill(pid, 0)
            if status.exists() and "State:\tZ" in status.read_text():
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.01)
    return False
