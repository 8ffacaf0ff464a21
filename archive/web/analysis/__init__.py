"""`/deals/<id>/analysis`: what a deal would have come to with open cards, card by card, and with other cards."""
