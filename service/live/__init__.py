"""Live: what is recorded, told at once to those who listen, by a process of its own that only reads."""
