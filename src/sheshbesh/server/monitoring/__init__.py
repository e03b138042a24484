"""The view that operators have of a running site: figures for Prometheus, and logs for programs."""
