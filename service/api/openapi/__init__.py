"""openapi.yaml, generated from the endpoints."""
