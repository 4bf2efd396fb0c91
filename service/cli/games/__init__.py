"""Games as they stand, their rules, boxes and analyses: nothing here changes a game that is open."""
