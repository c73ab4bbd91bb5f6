"""The command line: one module a group of commands; nothing heavy is imported before a command needs it."""

from .main import app, main

__all__ = ["app", "main"]
