"""A slow exact judge on fractions: it shares no code and no data with the packages it judges."""
