"""`/price`: what a deal costs that is told in words."""
