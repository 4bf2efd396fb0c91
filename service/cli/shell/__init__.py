"""What all commands stand on: the way to a service, arguments, files, the screen, words and failures."""
