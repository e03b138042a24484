"""Accounts: claiming a name, signing in and out, passkeys, tokens, bots."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, StringConstraints

from sheshbesh.server.api.me import me_data
from sheshbesh.server.failure import Failure
from sheshbesh.server.limits import address
from sheshbesh.server.people.identity import MaybePerson, Owner, set_cookie
from sheshbesh.server.people.person import Person
from sheshbesh.server.site import site_of

router = APIRouter(tags=["account"])

Text = Annotated[str, StringConstraints(max_length=400)]


class Body(BaseModel):
    """A body of JSON; a field that is not known is a mistake."""

    model_config = ConfigDict(extra="forbid")


class NameAndPassword(Body):
    """Who, and how he proves it."""

    name: Text
    password: Text


class NewPassword(Body):
    """The password before, empty where there was none, and the new one."""

    old: Text = ""
    new: Text


class Begin(Body):
    """The name that a guest wants to have by his passkey."""

    name: Text = ""


class Finish(Body):
    """What the browser's `navigator.credentials` answered, as JSON, to the options of `state`."""

    state: Text
    credential: dict[str, Any]
    name: Text = ""


class NewToken(Body):
    """A token for oneself, or for the bot of this name."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=60)]
    scopes: list[Text]
    bot: Text | None = None


class NewBot(Body):
    """A bot's name."""

    name: Text


@router.post("/account/claim")
async def claim(request: Request, person: Owner, body: NameAndPassword) -> dict[str, Any]:
    """Make the guest that one is an account, by a name and a password."""
    site = site_of(request)
    site.limits.accounts.check(address(request))
    await site.accounts.claim(person, body.name, body.password)
    return {"user": me_data(await _again(request, person.id))}


@router.post("/account/password")
async def change_password(request: Request, person: Owner, body: NewPassword) -> dict[str, Any]:
    """Change the password; every other browser is signed out."""
    site = site_of(request)
    site.limits.passwords.check(person.id)
    await site.accounts.change_password(person, body.old, body.new)
    return {}


@router.post("/login")
async def log_in(
    request: Request, response: Response, before: MaybePerson, body: NameAndPassword
) -> dict[str, Any]:
    """Sign in by name and password."""
    site = site_of(request)
    site.limits.passwords.check(address(request))
    site.limits.passwords.check(f"name {body.name.casefold()[:100]}")
    user_id = await site.accounts.log_in(body.name, body.password)
    return await _signed_in(request, response, before, user_id)


@router.get("/me/sign-ins")
async def sign_ins(request: Request, person: Owner) -> list[dict[str, Any]]:
    """Where one is signed in."""
    return await site_of(request).accounts.sign_ins(person)


@router.delete("/me/sign-ins/{sign_in}")
async def end_sign_in(request: Request, person: Owner, sign_in: str) -> dict[str, Any]:
    """Sign out one of one's browsers."""
    await site_of(request).accounts.end_sign_in(person, sign_in)
    return {}


# Passkeys


@router.post("/passkeys/register/begin")
async def begin_register(request: Request, person: Owner, body: Begin) -> dict[str, Any]:
    """Options for `navigator.credentials.create`, and the `state` to send back."""
    site = site_of(request)
    site.limits.accounts.check(address(request))
    return await site.passkeys.begin_register(person, body.name, _origin(request))


@router.post("/passkeys/register/finish")
async def finish_register(request: Request, person: Owner, body: Finish) -> dict[str, Any]:
    """Keep the passkey; a guest becomes the account of `name`."""
    site = site_of(request)
    await site.passkeys.finish_register(person, body.state, body.credential, body.name, _origin(request))
    return {"user": me_data(await _again(request, person.id))}


@router.post("/passkeys/login/begin")
async def begin_log_in(request: Request) -> dict[str, Any]:
    """Options for `navigator.credentials.get`, and the `state` to send back."""
    site = site_of(request)
    site.limits.passwords.check(address(request))
    return await site.passkeys.begin_log_in(_origin(request))


@router.post("/passkeys/login/finish")
async def finish_log_in(
    request: Request, response: Response, before: MaybePerson, body: Finish
) -> dict[str, Any]:
    """Sign in by a passkey."""
    site = site_of(request)
    user_id = await site.passkeys.finish_log_in(body.state, body.credential, _origin(request))
    return await _signed_in(request, response, before, user_id)


@router.get("/me/passkeys")
async def my_passkeys(request: Request, person: Owner) -> list[dict[str, Any]]:
    """One's passkeys."""
    return await site_of(request).accounts.keys(person)


@router.delete("/me/passkeys/{key}")
async def remove_passkey(request: Request, person: Owner, key: str) -> dict[str, Any]:
    """Remove a passkey; the last way to sign in stays."""
    await site_of(request).accounts.remove_key(person, key)
    return {}


# Programs


@router.get("/tokens")
async def tokens(request: Request, person: Owner) -> list[dict[str, Any]]:
    """One's tokens and those of one's bots, without their secrets."""
    return await site_of(request).accounts.tokens(person)


@router.post("/tokens")
async def new_token(request: Request, person: Owner, body: NewToken) -> dict[str, Any]:
    """Make a token. Its secret is told here and never again."""
    site = site_of(request)
    site.limits.accounts.check(person.id)
    return {"token": await site.accounts.new_token(person, body.bot, body.name, body.scopes)}


@router.delete("/tokens/{token}")
async def end_token(request: Request, person: Owner, token: str) -> dict[str, Any]:
    """End a token."""
    await site_of(request).accounts.end_token(person, token)
    return {}


@router.post("/bots")
async def new_bot(request: Request, person: Owner, body: NewBot) -> dict[str, Any]:
    """Make an account for a program; everybody sees that it is one."""
    site = site_of(request)
    site.limits.accounts.check(person.id)
    return {"user": (await site.accounts.new_bot(person, body.name)).to_data()}


async def _again(request: Request, user_id: str) -> Person:
    person = await site_of(request).people.by_id(user_id)
    if person is None:
        raise Failure(401, "this account is gone")
    return person


async def _signed_in(
    request: Request, response: Response, before: Person | None, user_id: str
) -> dict[str, Any]:
    """A sign-in of its own for whoever has proved who he is; the one before is over."""
    site = site_of(request)
    person = await _again(request, user_id)
    secret = await site.people.sign_in(user_id, request.headers.get("user-agent", ""))
    if before is not None and before.sign_in is not None:
        await site.people.sign_out(before.sign_in)
    set_cookie(response, site.settings, secret)
    return {"user": me_data(person)}


def _origin(request: Request) -> str:
    """The origin that the browser is at; the guard has let through our own alone."""
    origin = request.headers.get("origin")
    if origin is None:
        raise Failure(403, "passkeys are for browsers", code="scope")
    return origin
