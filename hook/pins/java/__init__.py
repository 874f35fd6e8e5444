"""Pins from Java tests: an exact interpreter of Java, and what test frameworks and their assertions mean."""
