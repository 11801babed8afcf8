"""What the methods for forum posts share: date pivots, tree matching, and posts made of elements."""
