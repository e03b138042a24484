"""Tests of the site's server."""
