"""`/deals/<id>/preview.png`, `/sessions/<id>/preview.png`: the pictures that a link shows when it is pasted."""
