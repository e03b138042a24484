"""Passkeys by WebAuthn: the key never leaves the person's device, and there is nothing to guess."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import delete, insert, select, update
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from sheshbesh.i18n import Text
from sheshbesh.rules.safe_text import one_line
from sheshbesh.server.ids import new_secret, now_ms
from sheshbesh.server.people.accounts import Accounts
from sheshbesh.server.people.names import clean_claim
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Conflict, Database
from sheshbesh.server.storage.tables import challenges, passkeys

_GOOD_FOR = 5 * 60 * 1000
"""Milliseconds in which a challenge must be answered."""
_MOST_KEYS = 10
_NAME = "Sheshbesh"


class Passkeys:
    """Registers passkeys, and signs in by them."""

    def __init__(self, database: Database, accounts: Accounts) -> None:
        self._database, self._accounts = database, accounts

    async def begin_register(self, person: Person, name: str, origin: str) -> dict[str, Any]:
        """Return what the browser needs to make a key; a guest claims a name by it."""
        shown = clean_claim(name) if person.kind == "guest" else person.name
        rows = await self._database.all(select(passkeys.c.id).where(passkeys.c.user_id == person.id))
        if len(rows) >= _MOST_KEYS:
            raise Failure(
                409, Text("you can have at most {most} passkeys", most=_MOST_KEYS), code="too_many_keys"
            )
        options = generate_registration_options(
            rp_id=_host(origin),
            rp_name=_NAME,
            user_id=person.id.encode(),
            user_name=shown,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=row.id) for row in rows],
        )
        state = await self._remember("register", options.challenge, person.id)
        return {"state": state, "options": json.loads(options_to_json(options))}

    async def finish_register(
        self, person: Person, state: str, credential: Mapping[str, Any], name: str, label: str, origin: str
    ) -> None:
        """Keep the key that the browser has made; a guest becomes a user of this name.

        `label` is what the key is called in its owner's list.
        """
        challenge = await self._recall("register", state, person.id)
        try:
            made = verify_registration_response(
                credential=dict(credential),
                expected_challenge=challenge,
                expected_rp_id=_host(origin),
                expected_origin=origin,
            )
        except (WebAuthnException, ValueError, LookupError, TypeError, AttributeError) as error:
            raise Failure(
                422, Text("this passkey does not hold: {error}", error=str(error)), where="credential"
            ) from error
        row = insert(passkeys).values(
            id=made.credential_id,
            user_id=person.id,
            public_key=made.credential_public_key,
            sign_count=made.sign_count,
            name=one_line(label) or made.credential_device_type.value.replace("_", " "),
            created=now_ms(),
        )
        if person.kind == "guest":
            await self._accounts.become(person, clean_claim(name), {}, row)
            return
        try:
            await self._database.write(row)
        except Conflict as error:
            raise Failure(409, "this passkey is known already", code="known_key") from error

    async def begin_proof(self, origin: str) -> dict[str, Any]:
        """Return what the browser needs to offer a person their keys."""
        options = generate_authentication_options(rp_id=_host(origin))
        state = await self._remember("prove", options.challenge, None)
        return {"state": state, "options": json.loads(options_to_json(options))}

    async def prove(self, state: str, credential: Mapping[str, Any], origin: str) -> str:
        """The id of the user whose key has answered. Failure 401 where it does not hold."""
        challenge = await self._recall("prove", state, None)
        try:
            key = base64url_to_bytes(str(credential.get("id", "")))
            row = await self._database.first(select(passkeys).where(passkeys.c.id == key))
            if row is None:
                raise Failure(401, "this passkey is not known here", code="unknown_key")
            found = verify_authentication_response(
                credential=dict(credential),
                expected_challenge=challenge,
                expected_rp_id=_host(origin),
                expected_origin=origin,
                credential_public_key=row.public_key,
                credential_current_sign_count=row.sign_count,
            )
        except (WebAuthnException, ValueError, LookupError, TypeError, AttributeError) as error:
            raise Failure(
                401, Text("this passkey does not hold: {error}", error=str(error)), code="bad_key"
            ) from error
        counted = update(passkeys).where(passkeys.c.id == key).values(sign_count=found.new_sign_count)
        await self._database.write(counted)
        return str(row.user_id)

    async def _remember(self, purpose: str, challenge: bytes, user_id: str | None) -> str:
        state = new_secret()
        values = {"id": state, "purpose": purpose, "challenge": challenge, "user_id": user_id, "at": now_ms()}
        old = delete(challenges).where(challenges.c.at < now_ms() - _GOOD_FOR)
        await self._database.write(old, insert(challenges).values(**values))
        return state

    async def _recall(self, purpose: str, state: str, user_id: str | None) -> bytes:
        """A challenge, this once."""
        taken = delete(challenges).where(
            challenges.c.id == state,
            challenges.c.purpose == purpose,
            challenges.c.user_id.is_(None) if user_id is None else challenges.c.user_id == user_id,
            challenges.c.at >= now_ms() - _GOOD_FOR,
        )
        (written,) = await self._database.write(taken.returning(challenges.c.challenge))
        if not written.rows:
            raise Failure(409, "this took too long: please begin again", code="stale_state")
        return bytes(written.rows[0].challenge)


def _host(origin: str) -> str:
    """The name that keys are bound to; browsers bind none to an address of numbers."""
    try:
        parts = urlsplit(origin)
        host, port = parts.hostname or "", parts.port
    except ValueError:  # a program may send any origin where the site is reached by any name
        raise Failure(422, "this origin cannot be read", where="origin") from None
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host
    hint = Text("passkeys need a site with a name: open it by its name")
    if host == "127.0.0.1":
        local = f"http://localhost:{port}"
        hint = Text("passkeys need a site with a name: open {address}", address=local)
    raise Failure(409, hint, code="no_name")
