"""What would have been possible: the value of every card, with open cards and by what a player could know."""
