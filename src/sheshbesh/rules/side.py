"""The two sides of the board."""

from __future__ import annotations

from enum import StrEnum

from sheshbesh.errors import NotationError


class Side(StrEnum):
    """White or Black. Equal to its own name as text, so `pos.turn == "white"` holds."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @classmethod
    def of(cls, name: Side | str) -> Side:
        """The side called `name`; NotationError for anything but "white" and "black"."""
        try:
            return _BY_NAME[name]
        except (KeyError, TypeError):
            raise NotationError(f'a side is "white" or "black", not {name!r}') from None


_BY_NAME: dict[str, Side] = {side.value: side for side in Side}
