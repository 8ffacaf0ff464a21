"""Floor 4: is the stated result right, and if not, why?"""
