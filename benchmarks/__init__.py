"""Benchmarks. Most figures stand beside a raw floor, measured in the same run."""
