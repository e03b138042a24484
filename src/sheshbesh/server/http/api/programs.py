"""Accounts for programs, and the tokens they come with."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import StringConstraints

from sheshbesh.server.http.api.bodies import Body, Words
from sheshbesh.server.http.identity import Owner
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of

router = APIRouter(tags=["account"])


class NewToken(Body):
    """A token for oneself, or for the bot of this name."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    scopes: list[Words]
    bot: Words | None = None


class NewBot(Body):
    """A bot's name."""

    name: Words


@router.get("/tokens")
async def tokens(request: Request, person: Owner) -> list[dict[str, Any]]:
    """One's tokens and those of one's bots, without their secrets."""
    return await site_of(request).people.programs.tokens(person)


@router.post("/tokens")
async def new_token(request: Request, person: Owner, body: NewToken) -> dict[str, Any]:
    """Make a token. Its secret is returned here and never again."""
    site = site_of(request)
    site.limits.accounts.check(person.id)
    return {"token": await site.people.programs.new_token(person, body.bot, body.name, body.scopes)}


@router.delete("/tokens/{token}")
async def end_token(request: Request, person: Owner, token: str) -> dict[str, Any]:
    """End a token, and what is open by it."""
    site = site_of(request)
    site.people.signed_out(await site.people.programs.end_token(person, token))
    return {}


@router.get("/bots")
async def bots(request: Request, person: Owner) -> list[dict[str, Any]]:
    """One's bots."""
    return [bot.to_data() for bot in await site_of(request).people.programs.bots(person)]


@router.post("/bots")
async def new_bot(request: Request, person: Owner, body: NewBot) -> dict[str, Any]:
    """Make an account for a program; everybody sees that it is one."""
    site = site_of(request)
    site.limits.accounts.check(person.id)
    return {"user": (await site.people.programs.new_bot(person, body.name)).to_data()}


@router.delete("/bots/{name}")
async def delete_bot(request: Request, person: Owner, name: str) -> dict[str, Any]:
    """Delete a bot of one's own for ever, as an account is deleted."""
    site = site_of(request)
    found = [bot for bot in await site.people.programs.bots(person) if bot.name == name]
    if not found:
        raise Failure(404, "you have no such bot")
    site.people.left(await site.people.deletion.delete(found[0]))
    return {}
