"""Whole matches over the socket, in this process."""
