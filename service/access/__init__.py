"""Access: who asks, what they may do with which game, and who said so."""
