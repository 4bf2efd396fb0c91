"""Files of games, in and out."""
