"""Samples of everything that can be proved, for verifiers in other languages: `python -m tests.vectors` makes them."""
