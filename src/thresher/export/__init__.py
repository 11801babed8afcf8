"""Documents as files that other programs read: one writer per format, streaming, each file whole or not there."""
