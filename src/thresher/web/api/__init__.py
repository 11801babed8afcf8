"""The HTTP API: /api/v1, JSON in and out, described by the OpenAPI file that is shipped beside it."""
