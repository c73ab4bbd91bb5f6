"""Somebody's implementation over vector files: a command answers case by case, and every answer is judged."""
