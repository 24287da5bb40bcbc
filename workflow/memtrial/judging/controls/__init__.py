"""Controls of a judge: answers whose verdict is known beforehand, judged before any cell of a benchmark is."""
