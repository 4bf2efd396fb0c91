"""The requests of the API: marshmallow schemas of bodies and queries. Unknown fields are refused by name."""
