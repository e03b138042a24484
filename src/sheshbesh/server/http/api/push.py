"""Messages to a browser that shows no page of the site."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import StringConstraints

from sheshbesh.i18n import choose
from sheshbesh.server.http.api.bodies import Body
from sheshbesh.server.http.identity import Owner
from sheshbesh.server.news.push import Subscription
from sheshbesh.server.site import site_of

router = APIRouter(tags=["me"])

Address = Annotated[str, StringConstraints(max_length=1000)]
Key = Annotated[str, StringConstraints(max_length=200)]


class Keys(Body):
    """A browser's public key and secret, as it gives them."""

    p256dh: Key
    auth: Key


class Subscribed(Body):
    """The answer of the browser's `pushManager.subscribe`."""

    endpoint: Address
    keys: Keys


class Ended(Body):
    """The address of a subscription that a browser ends."""

    endpoint: Address


@router.get("/push")
async def key(request: Request) -> dict[str, Any]:
    """The key to subscribe to, null where this site sends no messages."""
    return {"key": site_of(request).people.push.key}


@router.post("/me/push")
async def subscribe(request: Request, person: Owner, body: Subscribed) -> dict[str, Any]:
    """Notify this browser from now on when a match by correspondence waits for me."""
    browser = Subscription(body.endpoint, body.keys.p256dh, body.keys.auth)
    lang = choose(request.headers.get("accept-language", ""))
    await site_of(request).people.push.subscribe(person, browser, lang)
    return {}


@router.post("/me/push/end")
async def end(request: Request, person: Owner, body: Ended) -> dict[str, Any]:
    """Notify this browser no more."""
    await site_of(request).people.push.end(person, body.endpoint)
    return {}
