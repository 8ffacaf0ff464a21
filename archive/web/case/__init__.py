"""`/cases`: disputes from the complaint to the appeal, the open ones first."""
