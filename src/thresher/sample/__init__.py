"""The sample web that ships with the package: three sites made of a seed, with their truth known."""
