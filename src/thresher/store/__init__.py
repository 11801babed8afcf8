"""The store keeps documents, raw pages and every URL's fate: the truth."""
