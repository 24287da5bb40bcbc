"""Benchmark files to corpus, questions, gold and data-quality findings."""
