"""Tournaments: pairings and standings. Pure: the same entrants and results give the same answer."""
