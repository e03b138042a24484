"""A passkey in software: answers WebAuthn's questions as a phone or a security key would."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

_PRESENT, _VERIFIED, _NEW = 0x01, 0x04, 0x40


class Authenticator:
    """One key, at one origin."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.id = secrets.token_bytes(16)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._count = 0

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.create` answers."""
        numbers = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        new = bytes(16) + len(self.id).to_bytes(2) + self.id + encode_cbor(key)
        data = self._data(_PRESENT | _VERIFIED | _NEW) + new
        attestation = encode_cbor({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential(
            attestationObject=attestation, clientDataJSON=self._client("webauthn.create", options)
        )

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.get` answers."""
        self._count += 1
        data, client = self._data(_PRESENT | _VERIFIED), self._client("webauthn.get", options)
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(authenticatorData=data, clientDataJSON=client, signature=signature)

    def _data(self, flags: int) -> bytes:
        host = urlsplit(self.origin).hostname or ""
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self._count.to_bytes(4)

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        challenge = bytes_to_base64url(base64url_to_bytes(options["challenge"]))
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _credential(self, **response: bytes) -> dict[str, Any]:
        name = bytes_to_base64url(self.id)
        answers = {key: bytes_to_base64url(value) for key, value in response.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": answers}
