"""Tables: one match each, with its session, its lock and the sockets of its viewers."""
