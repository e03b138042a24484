"""The head of a match's page: the address of its card, and that its visitor is known.

Both are what the page would otherwise have to ask for, one after the other, before it can show a board.
"""

from __future__ import annotations

import asyncio
import logging
from urllib.parse import quote

from starlette.requests import Request

from sheshbesh.server.http.identity import find_person
from sheshbesh.server.people.access import may_look
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of
from sheshbesh.server.tables.seats import MatchAgreement

log = logging.getLogger(__name__)

_PATIENCE = 0.5
"""Seconds. A database that takes longer does not keep the page from being sent."""

_KNOWN = '<meta name="visitor" content="known">'


async def head_of_match(request: Request, lang: str) -> str:
    """Lines for the head of a match's page; "" where nothing is known, or the database does not answer.

    A match that is private is unknown to all but its players.
    """
    try:
        return await asyncio.wait_for(_head(request, lang), _PATIENCE)
    except Failure:
        return ""
    except Exception:
        # The page says itself what is wrong, when it asks for the match.
        log.warning("the page of a match is sent without its card", exc_info=True)
        return ""


async def _head(request: Request, lang: str) -> str:
    person = await find_person(request)
    lines = [_KNOWN] if person is not None else []
    table = await _table(request)
    if table is not None and may_look(table, person.id if person is not None else None):
        lines.append(f'<link rel="preload" as="fetch" href="{_address(table, lang)}" crossorigin>')
    return "\n".join(lines)


async def _table(request: Request) -> MatchAgreement | None:
    tables, match = site_of(request).matches, request.path_params["rest"]
    return await tables.agreement(match)


def _address(table: MatchAgreement, lang: str) -> str:
    """Return where the page asks for a card, written as it writes it."""
    game, code = (quote(text, safe="!'()*") for text in (table.card.game, table.card.code))
    return f"/api/v1/variants/{game}?card={code}&amp;lang={lang}"
