"""Measurements for people who choose tools: `make bench` writes reports/bench.md, every figure of it from one run."""
