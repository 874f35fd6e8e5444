"""Readers of contracts, one module a language."""
