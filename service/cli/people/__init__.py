"""People: who plays, who may do what, clubs with their seasons and tournaments, statistics."""
