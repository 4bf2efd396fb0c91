"""The catalogue: one searchable row for each game, the last recorded or the last played first."""
