"""Signed cookies: a browser's sign-in, and the accounts that were signed in to on it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from fastapi import Response
from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection

from sheshbesh.server.ids import new_id
from sheshbesh.server.settings import Settings

_YEAR = 365 * 24 * 3600


def cookie_name(settings: Settings) -> str:
    """The cookie's name; with https one that no neighbouring host can set."""
    return "__Host-sheshbesh" if settings.is_secure else "sheshbesh"


def set_cookie(response: Response, settings: Settings, secret: str) -> None:
    """Set the cookie of a sign-in."""
    response.set_cookie(
        cookie_name(settings),
        sign(settings.secret, "cookie", secret),
        max_age=_YEAR,
        httponly=True,
        secure=settings.is_secure,
        samesite="lax",
    )


def signed_in_secret(connection: HTTPConnection, settings: Settings) -> str | None:
    """The secret of the sign-in that a browser's cookie holds; None without one, or where it is forged."""
    cookie = connection.cookies.get(cookie_name(settings))
    return unsign(settings.secret, "cookie", cookie) if cookie else None


def clear_cookie(response: Response, settings: Settings) -> None:
    """Delete the cookie of a sign-in."""
    response.delete_cookie(cookie_name(settings), httponly=True, secure=settings.is_secure, samesite="lax")


_MOST_KNOWN = 8


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser by its own id, and the accounts that were signed in to on it, the latest first."""

    id: str
    accounts: tuple[str, ...] = ()

    @classmethod
    def of(cls, connection: HTTPConnection, settings: Settings) -> Self:
        """The browser of a request; a new one has no accounts."""
        cookie = connection.cookies.get(_known_name(settings))
        text = unsign(settings.secret, "known", cookie) if cookie else None
        name, *accounts = text.split(".") if text else [new_id()]
        return cls(name, tuple(accounts))

    def remember(self, response: Response, settings: Settings, user: str) -> None:
        """Let the browser keep that an account was signed in to on it."""
        accounts = [user, *(other for other in self.accounts if other != user)][:_MOST_KNOWN]
        response.set_cookie(
            _known_name(settings),
            sign(settings.secret, "known", ".".join([self.id, *accounts])),
            max_age=_YEAR,
            httponly=True,
            secure=settings.is_secure,
            samesite="lax",
        )


def _known_name(settings: Settings) -> str:
    return "__Host-sheshbesh-known" if settings.is_secure else "sheshbesh-known"


def sign(secret: str, purpose: str, text: str) -> str:
    """`text` with a signature by the site that is good for one purpose."""
    return _signer(secret, purpose).sign(text).decode()


def unsign(secret: str, purpose: str, signed: str) -> str | None:
    """The text that was signed for this purpose; None where the signature does not hold."""
    try:
        return _signer(secret, purpose).unsign(signed).decode() or None
    except BadSignature:
        return None


@lru_cache(maxsize=8)
def _signer(secret: str, purpose: str) -> Signer:
    """The key is derived once: a cookie is checked with every request."""
    return Signer(secret, salt=f"sheshbesh/{purpose}/v2", key_derivation="hmac", digest_method=hashlib.sha256)
