"""Refusals by the site itself: rule ids beside those of the games, and failed requests."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from starlette.exceptions import HTTPException

from sheshbesh.i18n import Text, translate
from sheshbesh.rules import Refusal
from sheshbesh.rules.refusal import declare_rules

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
        "tutor.busy": "too many questions wait for the tutor already: ask again in a moment",
        "finish.choice": "there is still something to decide here: play it yourself",
        "claim.early": "your opponent may still come back",
        "chouette.stands_in": "the computer plays for you: say that you are back first",
        "event.hints": "in this event the engine gives no advice",
        "event.rematch": "in an event the opponents are not chosen, so there is no rematch",
        "event.analysis": "this event forbids the analysis of a position of your match while it lasts",
        "dice.renewals": "too many new chains of dice: wait a minute",
        "chat.off": "there is no chat in this match",
        "chat.players": "only the players can chat here",
        "chat.slow": "not so fast: wait a moment",
        "chat.unknown": "there is no such phrase",
        "chat.long": "a message has 1 to 200 characters",
        "chat.muted": "a moderator has muted you until {until}, so you cannot chat: {reason}",
        "chat.muted_for_ever": "a moderator has muted you, so you cannot chat: {reason}",
        "chat.apart": "you two do not talk to each other",
        "chat.entrants": "while a tournament is under way only its entrants and officials write here",
        "chat.links": "only the directors send links here",
        "chat.event_muted": "a director has muted you in this tournament",
        "chat.phrases": "only preset phrases are taken here",
        "body.json": "this is not valid JSON: the error is at character {place}",
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
        "field.figure": "{field} must be a number",
        "field.most": "{field} is at most {most}",
        "field.least": "{field} is at least {least}",
        "field.above": "{field} must be above {least}",
        "field.list": "{field} must be a list",
        "field.entries": "{field} must be a list of {count}",
        "field.fewest": "{field} must be a list of {least} or more",
        "field.object": "{field} must be an object",
        "field.deep": "{field} is nested at most {most} deep",
        "field.other": "{field} cannot be read",
    }
)
"""The closed list of the site's own rule ids, with their wording in English."""

declare_rules({rule: (Text(text), None) for rule, text in SITE_RULES.items()})


def refuse(rule: str, **values: object) -> Refusal:
    """The refusal with this id, with the values that stand in its wording."""
    return Refusal(rule, None, Text(SITE_RULES[rule], **values))


CODES = {
    400: "bad_request",
    401: "unknown",
    403: "forbidden",
    404: "not_found",
    405: "method",
    409: "conflict",
    413: "too_large",
    415: "media_type",
    422: "bad_request",
    429: "too_many",
    503: "unavailable",
}


class Failure(HTTPException):
    """An HTTP error as the API answers it.

    `code` is for programs and does not change. `text` is an English sentence for people, a `Text` where
    values stand in it; it is translated for the client. `where` is the field at fault, `wait`
    the seconds after which to try again.
    """

    def __init__(
        self, status: int, text: str, *, code: str | None = None, where: str | None = None, wait: float = 0
    ) -> None:
        headers = {"Retry-After": str(max(1, round(wait)))} if status == 429 or wait else None
        super().__init__(status, text, headers)
        self.code, self.where = code or CODES.get(status, "error"), where

    def to_data(self, lang: str = "en") -> dict[str, Any]:
        """The body of the answer."""
        return failure_data(self.code, translate(self.detail, lang), self.where)


def failure_data(code: str, text: str, where: str | None = None) -> dict[str, Any]:
    """The body of an error."""
    error = {"code": code, "text": text}
    if where is not None:
        error["where"] = where
    return {"error": error}
