"""The site: rooms where matches are played over sockets, and all that stands around them."""
