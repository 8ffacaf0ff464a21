"""`/api/v1`: what the viewer knows, for programs. Described by its own OpenAPI document; docs/api.md has examples."""
