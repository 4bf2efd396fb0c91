"""The rulesets: pure functions over state, no I/O, one folder a ruleset, all with the same files."""
