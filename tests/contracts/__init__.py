"""What every backend promises, one suite per contract."""
