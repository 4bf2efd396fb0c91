"""What faces people: the HTTP API, the pages, the command line, tokens and settings."""
