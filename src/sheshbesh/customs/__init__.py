"""Customs from the source texts: traditional and modern, conduct, disputes, stories of games."""

from sheshbesh.customs.data import (
    WAYS,
    About,
    Answer,
    Board,
    Disputes,
    Line,
    Picture,
    Question,
    Ruling,
    Topic,
    Trial,
    conduct,
    differences,
    disputes,
    games,
)

__all__ = [
    "WAYS",
    "About",
    "Answer",
    "Board",
    "Disputes",
    "Line",
    "Picture",
    "Question",
    "Ruling",
    "Topic",
    "Trial",
    "conduct",
    "differences",
    "disputes",
    "games",
]
