"""Tests of what is needed to run Thresher elsewhere: containers, charts, collectors of logs."""
