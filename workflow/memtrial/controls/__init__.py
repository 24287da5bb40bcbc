"""Controls of the chain: what it may not see or depend on is changed, and nothing before the reader may change."""
