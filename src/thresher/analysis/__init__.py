"""What a corpus and a run look like in numbers: word statistics, volume over time, charts, the report of a run."""
