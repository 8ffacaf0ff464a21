"""Floor 4: what a deal costs, line by line, and what it leaves for the next one."""
