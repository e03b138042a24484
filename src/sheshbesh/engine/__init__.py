"""The engine: what a position is worth, which play is best, and why."""
