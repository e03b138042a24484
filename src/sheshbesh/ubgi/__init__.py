"""The line protocol for other programs, after the public UBGI draft: docs/dev/engine-protocol.md."""
