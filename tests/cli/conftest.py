"""Nets for the commands: random ones, so nothing here is about strength."""

from __future__ import annotations

from tests.engine.conftest import nets

__all__ = ["nets"]
