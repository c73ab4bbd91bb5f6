"""The corner classes, declared once: tables of names, sentences and formulas, and which conversions have them."""
