"""Recording: what takes entries, judges them and stores them."""
