"""Packet stage: ranked candidates become the text that a reader gets to see, within a budget, fully recorded."""
