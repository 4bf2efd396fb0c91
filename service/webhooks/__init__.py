"""Webhooks: signed messages (Standard Webhooks) to other programs about the games that somebody may see.

They are no jobs of the workers' queue: a delivery can take three days, waits for strangers, and asks at every attempt
what its owner may see. A process of its own derives messages from the log's feed and sends them.
"""
