"""Engine work on other hosts: the queue between server processes and those that think for them."""
