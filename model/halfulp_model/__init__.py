"""The executable model: low-precision conversions in plain exact integers, with their rules as data."""
