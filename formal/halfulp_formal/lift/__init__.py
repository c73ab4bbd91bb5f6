"""Lifting: the model's own source, with rules and modes concrete, as bit-vector terms that never wrap."""
