"""Recording: entries of every kind, corrections and all else that a record can hold."""
