"""Rollouts: positions, plays and cube decisions played out many times, with standard errors."""
