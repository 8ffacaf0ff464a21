"""Floor 8: names found, masked and erased, and the copy of an archive that strangers may see."""
