"""Puts this folder on the path of imports, for what tests of several folders share (`tiny_models`)."""
