"""Floor 8: deals and sessions as text, for the terminal and for paper, and the words that pages share with them."""
