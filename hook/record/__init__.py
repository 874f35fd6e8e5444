"""Recording: pins from the calls that a project's own tests make while they run."""
