"""`/events/<name>/ranking`: who stands where in an event, on a sheet to print, and which tables do not add up."""
