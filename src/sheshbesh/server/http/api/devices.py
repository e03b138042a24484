"""The devices that one is signed in at, and the passkeys that one signs in by."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, BackgroundTasks, Request, Response

from sheshbesh.server.http.api.account import browser_origin, person_again, renew
from sheshbesh.server.http.api.bodies import Body, Credential, Label, Words
from sheshbesh.server.http.api.me import me_data
from sheshbesh.server.http.cookies import Browser
from sheshbesh.server.http.identity import Owner
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.site import site_of

router = APIRouter(tags=["account"])


class Begin(Body):
    """The name that a guest claims by a passkey."""

    name: Words = ""


class NewPasskey(Credential):
    """A passkey that the browser has made; `label` is what its owner's list calls it."""

    name: Words = ""
    label: Label = ""


class NewLabel(Body):
    """The name that a passkey is to have."""

    name: Label


@router.get("/me/sign-ins")
async def sign_ins(request: Request, person: Owner) -> list[dict[str, Any]]:
    """Return where one is signed in."""
    return await site_of(request).people.accounts.sign_ins(person)


@router.delete("/me/sign-ins")
async def end_other_sign_ins(request: Request, person: Owner) -> dict[str, Any]:
    """Sign out all of one's browsers but this one; how many they were."""
    site = site_of(request)
    ended = await site.people.accounts.end_other_sign_ins(person)
    site.people.signed_out(person.id)
    return {"ended": ended}


@router.delete("/me/sign-ins/{sign_in}")
async def end_sign_in(request: Request, person: Owner, sign_in: str) -> dict[str, Any]:
    """Sign out one of one's browsers."""
    site = site_of(request)
    await site.people.accounts.end_sign_in(person, sign_in)
    site.people.signed_out(person.id)
    return {}


@router.post("/passkeys/register/begin")
async def begin_register(request: Request, person: Owner, body: Begin) -> dict[str, Any]:
    """Options for `navigator.credentials.create`, and the `state` to send back."""
    site = site_of(request)
    site.limits.accounts.check(address(request))
    return await site.people.passkeys.begin_register(person, body.name, browser_origin(request))


@router.post("/passkeys/register/finish")
async def finish_register(
    request: Request, response: Response, later: BackgroundTasks, person: Owner, body: NewPasskey
) -> dict[str, Any]:
    """Keep the passkey; a guest becomes the account of `name`, and the browser gets another cookie."""
    site = site_of(request)
    await site.people.passkeys.finish_register(
        person, body.state, body.credential, body.name, body.label, browser_origin(request)
    )
    await renew(request, response, later, person)
    Browser.of(request, site.settings).remember(response, site.settings, person.id)
    return {"user": me_data(await person_again(site.people.directory, person.id))}


@router.post("/passkeys/login/begin")
async def begin_log_in(request: Request) -> dict[str, Any]:
    """Options for `navigator.credentials.get`, and the `state` to send to POST /login with the answer."""
    site = site_of(request)
    site.limits.passkeys.check(address(request))
    return await site.people.passkeys.begin_proof(browser_origin(request))


@router.get("/me/passkeys")
async def my_passkeys(request: Request, person: Owner) -> list[dict[str, Any]]:
    """One's passkeys, the oldest first."""
    return await site_of(request).people.accounts.keys(person)


@router.put("/me/passkeys/{key}")
async def rename_passkey(request: Request, person: Owner, key: str, body: NewLabel) -> dict[str, Any]:
    """Call a passkey otherwise."""
    await site_of(request).people.accounts.rename_key(person, key, body.name)
    return {}


@router.delete("/me/passkeys/{key}")
async def remove_passkey(request: Request, person: Owner, key: str) -> dict[str, Any]:
    """Remove a passkey; the last way to sign in stays."""
    await site_of(request).people.accounts.remove_key(person, key)
    return {}
