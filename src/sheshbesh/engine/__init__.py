"""The engine: a strong opponent and an honest judge for every rule set."""
