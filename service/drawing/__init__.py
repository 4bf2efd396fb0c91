"""Pictures and terminal drawings of a board."""
