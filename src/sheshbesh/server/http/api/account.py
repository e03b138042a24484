"""One's account: claiming a name, signing in and out, recovery codes, taking all of it away, deleting it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, BackgroundTasks, Request, Response
from fastapi.responses import StreamingResponse

from sheshbesh.server.http.api.bodies import Body, Credential, Proof, Words
from sheshbesh.server.http.api.me import me_data
from sheshbesh.server.http.cookies import Browser, clear_cookie, set_cookie
from sheshbesh.server.http.identity import MaybePerson, Owner
from sheshbesh.server.http.request_limits import address, costs
from sheshbesh.server.monitoring import security
from sheshbesh.server.people.directory import Directory
from sheshbesh.server.people.names import KEPT_DAYS
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import site_of
from sheshbesh.server.tables.export import export

router = APIRouter(tags=["account"])


class NameAndPassword(Body):
    """The name that a guest chooses, and the password."""

    name: Words
    password: Words


class NewPassword(Body):
    """The password before, empty where there was none, and the new one."""

    old: Words = ""
    new: Words


class Lost(Body):
    """The name of an account, one of its recovery codes, and the password that it is to have."""

    name: Words
    code: Words
    password: Words


@router.post("/account/claim")
async def claim(
    request: Request, response: Response, later: BackgroundTasks, person: Owner, body: NameAndPassword
) -> dict[str, Any]:
    """Make the guest that one is an account, by a name and a password; the browser gets another cookie."""
    site = site_of(request)
    site.limits.accounts.check(address(request))
    await site.people.accounts.claim(person, body.name, body.password)
    await renew(request, response, later, person)
    Browser.of(request, site.settings).remember(response, site.settings, person.id)
    security.note("account_claimed", request, user=person.id, name=person.name)
    return {"user": me_data(await person_again(site.people.directory, person.id))}


@router.get("/account")
async def account(request: Request, person: Owner) -> dict[str, Any]:
    """Return whether one has a password, the number of recovery codes left, the mail address (`address`, and
    the one `wanted` until its link is opened; null where the site sends none), and for how many days nobody
    takes the name if one leaves."""
    people = site_of(request).people
    return {
        "password": await people.accounts.has_password(person),
        "codes": await people.recovery.left(person),
        "mail": await people.mail.of(person) if people.mailer.is_on else None,
        "name_kept_days": KEPT_DAYS,
    }


@router.post("/account/password")
async def change_password(
    request: Request, response: Response, later: BackgroundTasks, person: Owner, body: NewPassword
) -> dict[str, Any]:
    """Change the password; every other browser is signed out, and all tokens end, those of one's bots too.

    This browser gets another cookie.
    """
    site = site_of(request)
    site.limits.passwords.check(person.id)
    await site.people.accounts.change_password(person, body.old, body.new)
    await renew(request, response, later, person)
    security.note("password_changed", request, user=person.id, name=person.name)
    # One's own connections are cut by `renew`, once this browser has its new cookie.
    for bot in await site.people.programs.bots(person):
        site.people.signed_out(bot.id)
    return {}


@router.post("/account/codes")
async def make_codes(request: Request, person: Owner, body: Proof) -> dict[str, Any]:
    """New recovery codes, shown once, for the password or a passkey; those before end."""
    site = site_of(request)
    site.limits.accounts.check(address(request))
    await prove(request, person, body)
    codes = await site.people.recovery.make(person)
    security.note("recovery_codes_made", request, user=person.id, name=person.name)
    return {"codes": codes}


@router.post("/account/recover")
async def recover(request: Request, response: Response, before: MaybePerson, body: Lost) -> dict[str, Any]:
    """Set a new password by a recovery code, which is used up, and sign in.

    Every other browser is signed out, and all tokens end, those of one's bots too. Attempts count as those
    of POST /login.
    """
    site, name = site_of(request), body.name[:100]
    browser = Browser.of(request, site.settings)
    known = await _counted_browser(request, browser, name)
    user_id = await site.people.recovery.use(name, body.code[:100], body.password, known)
    return await recovered(request, response, before, Person(user_id, name, "user"))


@router.get("/account/export", response_class=StreamingResponse, dependencies=[costs(50)])
async def take_away(request: Request, person: Owner) -> StreamingResponse:
    """A ZIP file with one's account, matches with their records, ratings, notes, messages, puzzles and
    reviews."""
    site = site_of(request)
    site.limits.exports.check(person.id)
    security.note("export", request, user=person.id, name=person.name)
    headers = {
        "Content-Disposition": 'attachment; filename="sheshbesh.zip"',
        "Cache-Control": "no-store",
    }
    parts = export(site.database, site.matches.kind.store, person)
    return StreamingResponse(parts, media_type="application/zip", headers=headers)


@router.post("/account/delete")
async def delete(request: Request, response: Response, person: Owner, body: Proof) -> dict[str, Any]:
    """Delete one's account and one's bots, for ever; an account with a password or a passkey asks for it.

    Refused while a match with somebody else is under way. Finished ones stay for the others, with
    "Deleted player" where the name was; the name itself is nobody's for `name_kept_days`.
    """
    site = site_of(request)
    await prove(request, person, body)
    security.note("account_deleted", request, user=person.id, name=person.name)
    site.people.left(await site.people.deletion.delete(person))
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
    return {"user": me_data(await enter(request, response, before, user_id))}


async def renew(request: Request, response: Response, later: BackgroundTasks, person: Person) -> None:
    """Give a browser another cookie and end the one it came with, which somebody else may know as well."""
    site = site_of(request)
    assert person.sign_in is not None
    secret = await site.people.directory.sign_in(person.id, request.headers.get("user-agent", ""))
    await site.people.directory.sign_out(person.sign_in)
    set_cookie(response, site.settings, secret)

    async def signed_out() -> None:  # a plain function would run in a thread, where nothing can be spawned
        site.people.signed_out(person.id)

    # The browser's own sockets come again by the new cookie, so it must have that first.
    later.add_task(signed_out)


async def enter(request: Request, response: Response, before: Person | None, user_id: str) -> Person:
    """Sign somebody in who has proved who they are, in place of the person signed in `before`; return them.

    Failure 403 for somebody who is banned.
    """
    site = site_of(request)
    person = await person_again(site.people.directory, user_id)
    secret = await site.people.directory.sign_in(person.id, request.headers.get("user-agent", ""))
    if before is not None and before.sign_in is not None:
        await site.people.directory.sign_out(before.sign_in)
        site.people.signed_out(before.id)
    set_cookie(response, site.settings, secret)
    Browser.of(request, site.settings).remember(response, site.settings, person.id)
    security.note("sign_in", request, user=person.id, name=person.name)
    return person


async def recovered(
    request: Request, response: Response, before: Person | None, person: Person
) -> dict[str, Any]:
    """Sign somebody in who has set a new password for a lost one; whatever else was open by it has ended."""
    site = site_of(request)
    security.note("password_recovered", request, user=person.id, name=person.name)
    for account in (person, *await site.people.programs.bots(person)):
        site.people.signed_out(account.id)
    return {"user": me_data(await enter(request, response, before, person.id))}


async def prove(request: Request, person: Person, body: Proof) -> None:
    """Let somebody who is signed in prove once more who they are; there is no more to ask of a guest.

    Failure 401 where they do not.
    """
    site = site_of(request)
    if not (await site.people.accounts.has_password(person) or await site.people.accounts.keys(person)):
        return
    site.limits.passwords.check(person.id)
    if body.passkey is None:
        await site.people.accounts.check_password(person, body.password)
    elif await _by_passkey(request, body.passkey) != person.id:
        raise Failure(401, "this passkey is of another account", code="other_account")


async def _by_password(request: Request, browser: Browser, body: Proof) -> str:
    """The id of the account with this name and password; others do not delay a known browser."""
    site, name = site_of(request), body.name[:100]
    known = await _counted_browser(request, browser, name)
    return await site.people.accounts.log_in(name, body.password, known)


async def _counted_browser(request: Request, browser: Browser, name: str) -> str | None:
    """The id of a browser that has signed in to the account before; it has an allowance of its own.

    Any other counts for its address too. Failure 429 after too many attempts from there.
    """
    site = site_of(request)
    found = await site.people.directory.by_name(name)
    if found is not None and found.id in browser.accounts:
        return browser.id
    site.limits.passwords.check(address(request))
    return None


async def _by_passkey(request: Request, answer: Credential) -> str:
    """The id of the user whose passkey has answered."""
    return await site_of(request).people.passkeys.prove(
        answer.state, answer.credential, browser_origin(request)
    )


async def person_again(directory: Directory, user_id: str) -> Person:
    """A user as stored now; Failure 401 where the account is gone."""
    person = await directory.by_id(user_id)
    if person is None:
        raise Failure(401, "this account is gone")
    return person


def browser_origin(request: Request) -> str:
    """The origin that the browser is at; the guard has let through our own alone."""
    origin = request.headers.get("origin")
    if origin is None:
        raise Failure(403, "passkeys are for browsers", code="scope")
    return origin
