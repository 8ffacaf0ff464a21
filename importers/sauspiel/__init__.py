"""The formats of sauspiel.de: its chat, its events, its game pages, its list of games, the lines of a scraper."""
