"""People: players, roles, clubs with seasons and tournaments, statistics."""
