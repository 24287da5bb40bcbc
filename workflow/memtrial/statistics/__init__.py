"""Statistics: from verdicts and ranks to rates that carry their n, their bad rows and their interval."""
