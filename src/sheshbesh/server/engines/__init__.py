"""Engine work of the site: a pool of worker processes, so that a search never delays a match."""
