"""The tree over the log: one Merkle tree (RFC 6962) of the hashes of all entries, in the order of the feed."""
