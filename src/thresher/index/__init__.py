"""The index finds documents; it can always be rebuilt from the store."""
