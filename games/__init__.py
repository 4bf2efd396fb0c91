"""The rulesets: pure functions over state, no I/O, one folder per ruleset, all with the same files."""
