"""Reading: packets and scaffolds to requests, and replies to answers."""
