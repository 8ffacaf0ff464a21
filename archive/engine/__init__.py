"""Floor 2: deals as rows of integers, judged and searched by code that runs plain or compiled."""
