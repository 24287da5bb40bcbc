"""Evidence releases: a benchmark's results packed as a Workflow Run RO-Crate, and verified from disk."""
