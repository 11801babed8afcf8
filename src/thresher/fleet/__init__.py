"""The fleet: start, stop, scale and watch workers, as local processes, in Docker engines or in Kubernetes."""
