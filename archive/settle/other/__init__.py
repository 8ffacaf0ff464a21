"""The settlement of games other than Schafkopf: Bodensee-Jass, Sixty-six, Schnauz, Solitaire."""
