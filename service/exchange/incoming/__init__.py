"""Plays from elsewhere: files of trackers become score sheets."""
