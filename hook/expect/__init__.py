"""What a formula of a contract is on a pin, as far as it can be told without a verifier."""
