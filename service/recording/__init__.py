"""Recording: entries are taken, judged and stored."""
