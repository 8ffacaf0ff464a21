"""Floor 6: the viewer (Flask), the data site (Datasette), and one server for both."""
