"""Nets that know nothing, for the tests of what stands around them."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheshbesh as sb
from tests.engine.nets import write_net
from tests.shared import folder_of_all, made_once


@pytest.fixture(scope="session")
def nets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a random net for every shipped game."""

    def write(folder: Path) -> None:
        for name in sb.variants():
            write_net(folder, sb.variant(name))

    return made_once(folder_of_all(tmp_path_factory) / "nets", write)
