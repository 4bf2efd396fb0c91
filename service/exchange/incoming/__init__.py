"""Imports of plays: files of other trackers become score sheets."""
