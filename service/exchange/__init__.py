"""Files exchanged with other programs: tables, spreadsheets, datasets, archives, and files of play trackers."""
