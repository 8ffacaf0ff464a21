"""`/deals/<id>/guess`: what would you have played? `/puzzle/<day>`: which one card wins?"""
