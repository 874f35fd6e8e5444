"""From a change to a report: contracts, pins, questions, findings and the command line."""
