"""Chouettes: gathered, played by three to ten people and programs, watched, kept."""
