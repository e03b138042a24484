"""Several people at one board: the chouette and the consultation match."""
