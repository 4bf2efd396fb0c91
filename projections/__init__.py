"""Everything that is rebuilt from the log: states, timelines, score audits, the catalogue of games."""
