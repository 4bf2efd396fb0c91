"""What the API answers with: typed, encoded as they are, and described in openapi.yaml from these very types."""
