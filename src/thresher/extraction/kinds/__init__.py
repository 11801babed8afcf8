"""What tells kinds of pages apart: repeated records, prose, addresses and words, as features of a learned model."""
