"""Levels of play: how each is weakened, and its measured error rate."""
