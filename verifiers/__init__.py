"""Native verifiers behind one protocol, with batching and the verdict cache."""
