"""Games, rules, boxes and analyses. Nothing here changes an open game."""
