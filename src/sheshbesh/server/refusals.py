"""What the site itself refuses, beside the rules of games, cube, dice and sessions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sheshbesh.i18n import Text
from sheshbesh.rules import Refusal

SITE_RULES: Mapping[str, str] = MappingProxyType(
    {
        "wire.stale": "the game has gone on meanwhile; look again",
        "wire.seat": "you do not play in this match",
        "wire.side": "say for which side you act",
        "wire.text": "this cannot be read as a play",
        "wire.busy": "the server could not store this; it was not played",
        "wire.often": "not so fast: wait a moment",
        "tutor.off": "there is no tutor in this match",
        "tutor.not_now": "there is nothing to advise on now",
        "tutor.silent": "the tutor has no answer to this just now; you may ask again",
        "tutor.busy": "too many of your questions wait for the tutor already",
        "finish.choice": "there is still something to decide here: play it yourself",
        "claim.early": "your opponent may still come back",
        "dice.renewals": "too many new chains of dice: wait a minute",
        "chat.off": "there is no chat in this match",
        "chat.players": "only those who play talk here",
        "chat.slow": "not so fast: wait a moment",
        "chat.unknown": "there is no such phrase",
        "chat.long": "a message has 1 to 200 characters",
        "chat.apart": "you two do not talk to each other",
        "chat.phrases": "only preset phrases are taken here",
        "body.json": "this is no JSON: it breaks at character {place}",
        "body.missing": "this request has a body of JSON",
        "body.object": "the body of a request is an object of JSON",
        "body.deep": "the body of a request is nested at most {most} deep",
        "field.missing": "{field} is missing",
        "field.unknown": "{field} is not known here",
        "field.text": "{field} must be a text",
        "field.long": "{field} has at most {most} characters",
        "field.short": "{field} has at least {least} characters",
        "field.flag": "{field} must be true or false",
        "field.number": "{field} must be a whole number",
        "field.most": "{field} is at most {most}",
        "field.least": "{field} is at least {least}",
        "field.list": "{field} must be a list",
        "field.object": "{field} must be an object",
        "field.deep": "{field} is nested at most {most} deep",
        "field.other": "{field} cannot be read",
    }
)
"""The closed list of the site's own rule ids, with their wording in English."""


def refuse(rule: str, **values: object) -> Refusal:
    """The refusal with this id, with the values that stand in its wording."""
    return Refusal(rule, None, Text(SITE_RULES[rule], **values))
