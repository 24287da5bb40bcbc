"""Judging: answers and gold to verdicts, by an LLM protocol or by the lexical rule."""
