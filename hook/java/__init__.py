"""Java: from a change to contracts, skeletons, scenes and questions."""
