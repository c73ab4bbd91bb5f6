"""Writing files whole: a reader sees the old text or the new one, never a half of either."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def check_writable(path: Path) -> None:
    """Raise OSError, naming the path, if a file could not be written there; nothing is written."""
    folder = path.parent
    if not folder.is_dir():
        raise FileNotFoundError(f"cannot write {path}: {folder} is not a folder")
    if path.is_dir():
        raise IsADirectoryError(f"cannot write {path}: it is a folder")
    if not os.access(folder, os.W_OK | os.X_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise PermissionError(f"cannot write {path}: permission denied")


def write_whole(path: Path, text: str) -> None:
    """Write a text file by way of a temporary one beside it. Raises OSError, naming the path."""
    check_writable(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise OSError(f"cannot write {path}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            temporary.unlink()
