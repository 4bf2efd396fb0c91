"""Access: who asks, what they may do with each game, and who granted it."""
