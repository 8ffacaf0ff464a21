"""A deal or an evening as one HTML file that opens anywhere, without a server."""
