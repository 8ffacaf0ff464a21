"""What the Datasette plugin does to an archive: recognises, hardens and describes it, and shows its rows."""
