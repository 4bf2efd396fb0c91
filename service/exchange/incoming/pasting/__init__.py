"""Tables of spreadsheets, pasted onto score sheets."""
