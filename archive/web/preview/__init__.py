"""`/deals/<id>/preview.png`, `/sessions/<id>/preview.png`: what a link shows where it is pasted."""
