"""Messages to browsers that have no page open: web push, encrypted for the browser alone.

RFC 8030 (the protocol), RFC 8188 and 8291 (the encryption, with the content coding aes128gcm), RFC 8292 (the
signature by which a push service identifies the sender, VAPID).
"""

from __future__ import annotations

import json
import os
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import NamedTuple
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

LIFETIME = 24 * 60 * 60
"""Seconds for which a push service keeps a message for a browser that is not running."""

_RECORD = 4096
_SALT, _KEY, _NONCE, _SECRET = 16, 16, 12, 32
_GONE = (404, 410)
_TIMEOUT = 10.0
"""Seconds that a push service may take."""

_SIGNED_FOR = 12 * 60 * 60

_HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(\.(?!-)[a-z0-9-]{1,63})*")
"""A name or an IPv4 address: no push service is at an address of IPv6."""


class Subscription(NamedTuple):
    """The address of a browser, with its public key and its secret, as it gives them (base64url)."""

    endpoint: str
    p256dh: str
    auth: str


class PushAddress(NamedTuple):
    """An address at a push service in its parts; `path` includes the query, `port` is None for the usual."""

    scheme: str
    host: str
    port: int | None
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port, as the sender is signed in for."""
        return f"{self.scheme}://{self.host}" + ("" if self.port is None else f":{self.port}")


def push_address(endpoint: str) -> PushAddress:
    """The parts of an address that a browser gives; ValueError for what nothing can be sent to."""
    if not (endpoint.isascii() and endpoint.isprintable()) or " " in endpoint:
        raise ValueError("an address has printable ASCII characters only")
    parts = urlsplit(endpoint)
    port, host = parts.port, (parts.hostname or "").rstrip(".")
    if parts.username is not None or _HOST.fullmatch(host) is None or port == 0:
        raise ValueError(f"this is no address of a push service: {parts.scheme}://{parts.netloc}")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return PushAddress(parts.scheme, host, port, path)


def unpadded(text: str) -> bytes:
    """Bytes written in base64url without padding; ValueError for anything else."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def padless(data: bytes) -> str:
    """Bytes in base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def public_key(data: bytes) -> ec.EllipticCurvePublicKey:
    """A point of P-256; ValueError where the bytes are none."""
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def encrypted(text: bytes, browser: Subscription) -> bytes:
    """A message of one record that only this browser can read."""
    theirs, own = unpadded(browser.p256dh), ec.generate_private_key(ec.SECP256R1())
    ours, salt = _point(own.public_key()), os.urandom(_SALT)
    shared = own.exchange(ec.ECDH(), public_key(theirs))
    info = b"WebPush: info\0" + theirs + ours
    secret = _derived(shared, unpadded(browser.auth), info, _SECRET)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", _KEY)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", _NONCE)
    head = salt + _RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    # 2 ends the last record.
    return head + AESGCM(key).encrypt(nonce, text + b"\x02", None)


class Sender:
    """Sends as one site: by its private key on P-256 (32 bytes, base64url); `contact` is whom to write to."""

    def __init__(self, key: str, contact: str) -> None:
        number = int.from_bytes(unpadded(key), "big")
        self._key = ec.derive_private_key(number, ec.SECP256R1())
        self._contact = contact
        self.public = padless(_point(self._key.public_key()))

    def authorization(self, endpoint: str) -> str:
        """The header that says who sends to this endpoint."""
        claims = {
            "aud": push_address(endpoint).origin,
            "exp": int(time.time()) + _SIGNED_FOR,
            "sub": self._contact,
        }
        written = (json.dumps(each).encode() for each in ({"typ": "JWT", "alg": "ES256"}, claims))
        signed = ".".join(padless(each) for each in written)
        pair = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = b"".join(number.to_bytes(32, "big") for number in pair)
        return f"vapid t={signed}.{padless(signature)}, k={self.public}"

    def send(self, text: bytes, browser: Subscription) -> bool:
        """Send a message; False where the browser is gone for good.

        OSError where the service takes none, ValueError where the address or the keys are none.
        """
        where = push_address(browser.endpoint)
        kind = HTTPSConnection if where.scheme == "https" else HTTPConnection
        line = kind(where.host, where.port, timeout=_TIMEOUT)
        headers = {
            "Authorization": self.authorization(browser.endpoint),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(LIFETIME),
            "Urgency": "normal",
        }
        try:
            line.request("POST", where.path, encrypted(text, browser), headers)
            status = line.getresponse().status
            if status in _GONE:
                return False
            if status >= 400:
                raise OSError(f"{where.host} answers {status}")
            return True
        except HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            line.close()
