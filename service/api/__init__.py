"""The HTTP API: endpoints, schemas, answers, problems, openapi.yaml."""
