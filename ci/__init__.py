"""GitHub: what the action runs, and what it posts."""
