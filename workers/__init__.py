"""Work derived from the log: the relay that finds it, the queue that spreads it, the workers that do it."""
