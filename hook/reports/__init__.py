"""Reporters: a report as text for people or programs."""
