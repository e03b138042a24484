"""Nets for the commands: random ones, so nothing here is about strength."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheshbesh as sb
from tests.engine.nets import write_net


@pytest.fixture(scope="session")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with random nets for some games of each kind."""
    folder = tmp_path_factory.mktemp("nets")
    for name in ("backgammon", "tapa", "long_nardy", "gul_bara", "tawla31"):
        write_net(folder, sb.variant(name))
    return folder
