"""A document's fields, one a file; each comes with the evidence for it."""
