"""The answers of the API. openapi.yaml is made from these types."""
