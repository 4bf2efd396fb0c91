"""The log: immutable events, appended and read, with one hash chain for each game."""
