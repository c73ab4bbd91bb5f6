"""What corner classes may say of a conversion's inputs and stages, as formulas over the lifted model."""
