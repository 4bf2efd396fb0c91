"""The processes of the service: front, web processes, supervisor, and the messages between them."""
