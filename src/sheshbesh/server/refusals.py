"""What the site itself refuses, beside the rules of games, cube, dice and sessions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sheshbesh.rules import Refusal

SITE_RULES: Mapping[str, str] = MappingProxyType(
    {
        "wire.stale": "the game has gone on meanwhile; look again",
        "wire.seat": "you do not play in this match",
        "wire.side": "say for which side you act",
        "wire.text": "this cannot be read as a play",
        "wire.busy": "the server could not store this; it was not played",
        "tutor.off": "there is no tutor in this match",
        "tutor.not_now": "there is nothing to advise on now",
        "tutor.silent": "the tutor has no answer to this just now; you may ask again",
        "finish.choice": "there is still something to decide here: play it yourself",
        "claim.early": "your opponent may still come back",
        "chat.off": "there is no chat in this match",
        "chat.players": "only those who play talk here",
        "chat.slow": "not so fast: wait a moment",
        "chat.unknown": "there is no such phrase",
        "chat.long": "a message has 1 to 200 characters",
        "chat.apart": "you two do not talk to each other",
        "chat.phrases": "only preset phrases are taken here",
    }
)
"""The closed list of the site's own rule ids, with their wording in English."""


def refuse(rule: str) -> Refusal:
    """The refusal with this id."""
    return Refusal(rule, None, SITE_RULES[rule])
