"""What is particular to one frontier or another."""
