"""What the source texts teach besides rules: traditional and modern, conduct, the games' stories."""

from sheshbesh.customs.data import (
    WAYS,
    About,
    Board,
    Line,
    Picture,
    Topic,
    Trial,
    conduct,
    differences,
    games,
)

__all__ = [
    "WAYS",
    "About",
    "Board",
    "Line",
    "Picture",
    "Topic",
    "Trial",
    "conduct",
    "differences",
    "games",
]
