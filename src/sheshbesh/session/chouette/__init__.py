"""Several people at one board: the chouette."""
