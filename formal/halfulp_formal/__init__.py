"""Lifting, encodings, obligations, solvers and witnesses: what turns the model into proofs and vectors."""
