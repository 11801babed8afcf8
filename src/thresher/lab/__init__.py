"""The laboratory: labelled pages, metrics, peers and protocols, to compare what extracts, crawls and searches."""
