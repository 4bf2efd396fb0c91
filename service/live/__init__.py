"""Live streams: a process of its own, which only reads, sends new entries to listeners at once."""
