"""The web application: pages to watch, search, read and steer, and the HTTP API."""
