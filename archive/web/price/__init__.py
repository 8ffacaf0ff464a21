"""`/price`: the price of a deal that is described in words."""
