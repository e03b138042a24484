"""Engine work on other hosts: the queue between server processes and engine workers."""
