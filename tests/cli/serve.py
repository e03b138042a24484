"""The line protocol over nets from a folder: python -m tests.cli.serve FOLDER"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from sheshbesh.cli.ubgi import talk
from sheshbesh.cli.ubgi.dialogue import Dialogue, EngineMaker
from sheshbesh.engine import make_engine

if TYPE_CHECKING:
    from sheshbesh.engine import Engine
    from sheshbesh.rules import Variant


def make(folder: str) -> EngineMaker:
    def engine(game: Variant) -> Engine:
        return make_engine(game, folders=[folder])

    return engine


if __name__ == "__main__":
    talk(Dialogue(make(sys.argv[1])))
