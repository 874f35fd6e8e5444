"""GitHub and audits (no code yet)."""
