"""Extraction of whole archives: in processes of this machine, on Spark or on Ray, the same function for each record."""
