"""Pins: observed calls, taken from unit tests."""
