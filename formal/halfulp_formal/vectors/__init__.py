"""Corner classes, their witnesses, and the vector files made of them."""
