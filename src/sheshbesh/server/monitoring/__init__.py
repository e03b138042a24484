"""What operators see of a running site: figures for Prometheus, and logs for programs."""
