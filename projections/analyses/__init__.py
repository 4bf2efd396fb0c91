"""Replay analyses: facts about a whole game, from a point of view, computed by a replay."""
