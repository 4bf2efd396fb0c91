"""Proof: the tree over the log, archives compared with it, and witnesses."""
