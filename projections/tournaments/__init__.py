"""Tournaments: who meets whom, and who stands where. Pure: the same entrants and results give the same answer."""
