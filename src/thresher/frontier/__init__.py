"""The frontier decides who may fetch what, and when."""
