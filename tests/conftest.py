"""Puts this folder on the path of imports, for what tests of several folders share (`flow`, `tiny_models`)."""
