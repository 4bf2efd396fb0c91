"""Replay analyses: what can be said of a whole game, from a point of view, by going through it again."""
