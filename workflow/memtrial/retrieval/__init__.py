"""Retrieval and reranking: three lanes nominate sessions, their union is the pool, a reranker orders it."""
