"""Proof: the tree over the log, archives held against it, and witnesses."""
