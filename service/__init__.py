"""What faces people: the HTTP API, the pages, the command line, tokens and settings."""

__version__ = "0.3.0"
