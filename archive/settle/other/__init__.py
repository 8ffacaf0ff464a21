"""The reckoning of games that are no Schafkopf: Bodensee-Jass, Sixty-six, Schnauz, Solitaire."""
