"""One's account: claiming a name, signing in and out, what there is of it, and deleting it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from sheshbesh.server.http.api.bodies import Body, Credential, Proof, Words
from sheshbesh.server.http.api.me import me_data
from sheshbesh.server.http.failure import Failure
from sheshbesh.server.http.limits import address
from sheshbesh.server.people.attempts import Browser
from sheshbesh.server.people.identity import MaybePerson, Owner, clear_cookie, set_cookie
from sheshbesh.server.people.names import KEPT_DAYS
from sheshbesh.server.people.person import Person
from sheshbesh.server.site import Site, site_of

router = APIRouter(tags=["account"])


class NameAndPassword(Body):
    """The name that a guest wants to have, and the password he will prove it by."""

    name: Words
    password: Words


class NewPassword(Body):
    """The password before, empty where there was none, and the new one."""

    old: Words = ""
    new: Words


@router.post("/account/claim")
async def claim(request: Request, response: Response, person: Owner, body: NameAndPassword) -> dict[str, Any]:
    """Make the guest that one is an account, by a name and a password."""
    site = site_of(request)
    site.limits.accounts.check(address(request))
    await site.accounts.claim(person, body.name, body.password)
    Browser.of(request, site.settings).remember(response, site.settings, person.id)
    return {"user": me_data(await person_again(site, person.id))}


@router.get("/account")
async def account(request: Request, person: Owner) -> dict[str, Any]:
    """Whether one has a password, and for how many days nobody takes the name if one leaves."""
    password = await site_of(request).accounts.has_password(person)
    return {"password": password, "name_kept_days": KEPT_DAYS}


@router.post("/account/password")
async def change_password(request: Request, person: Owner, body: NewPassword) -> dict[str, Any]:
    """Change the password; every other browser is signed out, and all tokens end, those of one's bots too."""
    site = site_of(request)
    site.limits.passwords.check(person.id)
    await site.accounts.change_password(person, body.old, body.new)
    for account in (person, *await site.programs.bots(person)):
        site.signed_out(account.id)
    return {}


@router.post("/account/delete")
async def delete(request: Request, response: Response, person: Owner, body: Proof) -> dict[str, Any]:
    """Delete one's account and one's bots, for ever; whoever has a password or a passkey proves who he is.

    Refused while a match with somebody else is under way. Finished ones stay for the others, with
    "Deleted player" where the name was; the name itself is nobody's for `name_kept_days`.
    """
    site = site_of(request)
    if await site.accounts.has_password(person) or await site.accounts.keys(person):
        site.limits.passwords.check(person.id)
        if body.passkey is None:
            await site.accounts.check_password(person, body.password)
        elif await _by_passkey(request, body.passkey) != person.id:
            raise Failure(401, "this passkey is of another account", code="other_account")
    site.left(await site.leaving.delete(person))
    clear_cookie(response, site.settings)
    return {}


@router.post("/login")
async def log_in(request: Request, response: Response, before: MaybePerson, body: Proof) -> dict[str, Any]:
    """Sign in by name and password, or by a passkey's answer to POST /passkeys/login/begin."""
    site = site_of(request)
    browser = Browser.of(request, site.settings)
    if body.passkey is not None:
        site.limits.passkeys.check(address(request))
        user_id = await _by_passkey(request, body.passkey)
    else:
        user_id = await _by_password(request, browser, body)
    person = await person_again(site, user_id)
    secret = await site.people.sign_in(person.id, request.headers.get("user-agent", ""))
    if before is not None and before.sign_in is not None:
        await site.people.sign_out(before.sign_in)
        site.signed_out(before.id)
    set_cookie(response, site.settings, secret)
    browser.remember(response, site.settings, person.id)
    return {"user": me_data(person)}


async def _by_password(request: Request, browser: Browser, body: Proof) -> str:
    """Whose name and password these are: their id. A browser that the account knows waits for nobody else."""
    site, name = site_of(request), body.name[:100]
    found = await site.people.by_name(name)
    if found is not None and found.id in browser.accounts:
        return await site.accounts.log_in(name, body.password, browser.id)
    site.limits.passwords.check(address(request))
    return await site.accounts.log_in(name, body.password)


async def _by_passkey(request: Request, answer: Credential) -> str:
    """Whose passkey has answered: his id."""
    return await site_of(request).passkeys.prove(answer.state, answer.credential, browser_origin(request))


async def person_again(site: Site, user_id: str) -> Person:
    """Somebody as he is now; Failure 401 where the account is gone."""
    person = await site.people.by_id(user_id)
    if person is None:
        raise Failure(401, "this account is gone")
    return person


def browser_origin(request: Request) -> str:
    """The origin that the browser is at; the guard has let through our own alone."""
    origin = request.headers.get("origin")
    if origin is None:
        raise Failure(403, "passkeys are for browsers", code="scope")
    return origin
