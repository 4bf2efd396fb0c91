"""What the service exchanges with other programs: tables, spreadsheets, datasets, and files of play trackers."""
