"""Families of conversions: which there are, what is claimed of each, and how its symbolic case is made."""
