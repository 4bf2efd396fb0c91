"""The examination of a ruleset: the promises of all rulesets, checked in random games."""
