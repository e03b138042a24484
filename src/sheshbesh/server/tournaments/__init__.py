"""Tournaments on the site: stored as events, run by whichever process finds something due."""
