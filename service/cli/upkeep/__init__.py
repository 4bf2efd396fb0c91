"""The service itself, and its data."""
