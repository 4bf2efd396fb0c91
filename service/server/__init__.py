"""The processes of the service: front, web processes, their supervisor, and what they say to each other."""
