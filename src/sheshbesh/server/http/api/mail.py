"""Mail addresses of accounts, and the new password that somebody sets by a link that was sent there.

No answer says whether an account exists, or has an address: what is looked up and sent happens afterwards.
"""

from __future__ import annotations

import logging
from typing import Annotated, Any

from fastapi import APIRouter, BackgroundTasks, Depends, Request, Response
from pydantic import StringConstraints

from sheshbesh.i18n import Text, translate
from sheshbesh.server.http.api.account import prove, recovered
from sheshbesh.server.http.api.bodies import Body, Proof, Words
from sheshbesh.server.http.errors import language
from sheshbesh.server.http.identity import MaybePerson, Owner
from sheshbesh.server.http.request_limits import address
from sheshbesh.server.limits import Limits
from sheshbesh.server.monitoring import security
from sheshbesh.server.people.mail import LONGEST, SECONDS
from sheshbesh.server.people.mailer import Mailer
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.site import People, site_of

log = logging.getLogger(__name__)

_LONGEST_TOKEN = 1_000

Token = Annotated[str, StringConstraints(max_length=_LONGEST_TOKEN)]


async def _sends_mail(request: Request) -> None:
    if not site_of(request).people.mailer.is_on:
        raise Failure(404, "this site sends no mail", code="no_mail")


router = APIRouter(tags=["account"])

_ON = [Depends(_sends_mail)]


class NewAddress(Proof):
    """The address for mail of the account, and proof of the account."""

    address: Annotated[str, StringConstraints(max_length=LONGEST)]


class Link(Body):
    """The token of a link."""

    token: Token


class LostBy(Body):
    """The name of an account, or its mail address."""

    name: Annotated[str, StringConstraints(max_length=LONGEST)]


class NewPassword(Link):
    """The token of a link, and the password that its account is to have."""

    password: Words


@router.get("/account/mail")
async def sends_mail(request: Request) -> dict[str, Any]:
    """Return whether this site sends mail, and for how many seconds a link in it is good."""
    return {"sends": site_of(request).people.mailer.is_on, "seconds": SECONDS}


@router.post("/account/mail", dependencies=_ON)
async def want(request: Request, person: Owner, body: NewAddress) -> dict[str, Any]:
    """Have a link sent to an address; it is the account's when that is opened. Until then the one before
    is."""
    site, lang = site_of(request), language(request)
    site.limits.mail.check(address(request))
    site.limits.mail_to.check(person.id)
    await prove(request, person, body)
    to, token = await site.people.mail.want(person, body.address)
    security.note("mail_address_wanted", request, user=person.id, name=person.name)
    text = Text(
        "{name} at {site} wants to have mail at this address. If that is you, open this link within an hour:",
        name=person.name,
        site=site.people.mailer.site,
    )
    _send(site.people.mailer, to, Text("Confirm your mail address"), text, f"confirm={token}", lang)
    return await site.people.mail.of(person)


@router.post("/account/mail/confirm", dependencies=_ON)
async def confirm(request: Request, body: Link) -> dict[str, Any]:
    """The address that a link was sent to is its account's from now on."""
    site, lang = site_of(request), language(request)
    site.limits.passwords.check(address(request))
    user_id, now, before = await site.people.mail.confirm(body.token)
    security.note("mail_address_confirmed", request, account=user_id)
    if before is not None and before != now:
        text = Text(
            "The account that had mail sent here at {site} has another address now. "
            "If that was not you, change the password at once.",
            site=site.people.mailer.site,
        )
        _send(site.people.mailer, before, Text("Your mail address was changed"), text, None, lang)
    return {"address": now}


@router.post("/account/mail/remove", dependencies=_ON)
async def remove(request: Request, person: Owner, body: Proof) -> dict[str, Any]:
    """Have no mail address any more."""
    await prove(request, person, body)
    await site_of(request).people.mail.remove(person)
    security.note("mail_address_removed", request, user=person.id, name=person.name)
    return await site_of(request).people.mail.of(person)


@router.post("/account/mail/lost", dependencies=_ON)
async def lost(request: Request, body: LostBy, later: BackgroundTasks) -> dict[str, Any]:
    """Have a link sent by which one sets a new password, if there is such an account and it has an
    address."""
    site = site_of(request)
    site.limits.mail.check(address(request))
    security.note("password_link_wanted", request)
    later.add_task(_write_to, site.people, site.limits, body.name, language(request))
    return {}


@router.post("/account/mail/password", dependencies=_ON)
async def set_password(
    request: Request, response: Response, before: MaybePerson, body: NewPassword
) -> dict[str, Any]:
    """Set a new password by a link, which is used up, and sign in.

    Every other browser is signed out, and all tokens end, those of one's bots too.
    """
    site = site_of(request)
    site.limits.passwords.check(address(request))
    user_id, name = await site.people.mail.reset(body.token, body.password)
    return await recovered(request, response, before, Person(user_id, name, "user"))


async def _write_to(people: People, limits: Limits, name_or_address: str, lang: str) -> None:
    """Write to the accounts of a name or an address, to each as often as its limit allows."""
    try:
        found = await people.mail.lost(name_or_address)
    except Exception:
        log.exception("mail for a lost password")
        return
    for each in found:
        if limits.mail_to.take(each.id) > 0:
            continue
        text = Text(
            "Somebody asked for a new password for {name} at {site}. If that was you, open this link within "
            "an hour. If not, do nothing: the password stays as it is.",
            name=each.name,
            site=people.mailer.site,
        )
        _send(people.mailer, each.address, Text("A new password"), text, f"password={each.token}", lang)


def _send(mailer: Mailer, to: str, subject: Text, text: Text, fragment: str | None, lang: str) -> None:
    lines = [translate(text, lang)]
    if fragment is not None:
        lines += ["", mailer.link(fragment)]
    mailer.send(to, f"Sheshbesh: {translate(subject, lang)}", "\n".join(lines) + "\n")
