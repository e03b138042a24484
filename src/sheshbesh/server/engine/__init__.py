"""Engine work of the site: one queue, answered by processes here and on other hosts."""
