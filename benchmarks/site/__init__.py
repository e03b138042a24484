"""The site under load: many live games over real sockets, on this machine alone."""
