"""The line protocol over nets from a folder: python -m tests.cli.serve FOLDER"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sheshbesh.engines import make_engine
from sheshbesh.ubgi.dialogue import Dialogue, EngineMaker
from sheshbesh.ubgi.runner import talk

if TYPE_CHECKING:
    from sheshbesh.engines import Engine
    from sheshbesh.rules import Variant


def make(folder: str) -> EngineMaker:
    def engine(game: Variant) -> Engine:
        return make_engine(game, folders=[folder])

    return engine


if __name__ == "__main__":
    talk(Dialogue(make(sys.argv[1])))
