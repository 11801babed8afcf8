"""From a parsed page to a Document: pure, without network, disk or clock."""
