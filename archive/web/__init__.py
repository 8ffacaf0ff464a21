"""Floor 9: the viewer (Flask), a folder a page, the data site (Datasette), and one server for both."""
