"""Tests of the commands that need an engine."""
