"""The atomic steps of the SQLite frontier, one file each."""
