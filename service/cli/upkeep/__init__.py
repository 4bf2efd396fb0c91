"""The service itself, and the folder or database with its data."""
