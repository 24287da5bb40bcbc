"""Scaffold stage: an evidence index over a packet, computed from the question's wording and date alone."""
