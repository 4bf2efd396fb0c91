"""What the API takes: marshmallow schemas of bodies and queries. Unknown fields are refused by name."""
