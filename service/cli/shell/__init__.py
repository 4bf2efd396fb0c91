"""The base of all commands: connection, arguments, files, screen, words and failures."""
