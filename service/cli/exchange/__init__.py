"""Exports and imports of games."""
