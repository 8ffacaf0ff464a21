"""`/events/<name>/ranking`: the ranking of an event, on a sheet to print, and the tables that do not add up."""
