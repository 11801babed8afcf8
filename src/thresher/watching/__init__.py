"""Follow sources for ever: when each is asked again, what is taken from it, and what is noted of it."""
