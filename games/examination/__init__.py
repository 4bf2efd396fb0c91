"""The examination of a ruleset: what all of them promise, looked at in games that are played at random."""
