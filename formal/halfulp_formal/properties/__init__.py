"""The specification's sentences as claims about the lifted model; none of them looks at an encoding or at rule data."""
