"""The sealed envelope: the server's links in an encrypted file, handed out before the game.

It changes nothing in what is proved, the anchor binds the server already. It is for people who
would rather hold a file: they cannot open it while they play, and open it themselves afterwards. It
holds the server's links only, so nobody can read a roll from it without both players' links.
"""

from __future__ import annotations

import io
import struct
import zlib
from base64 import b32encode
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sheshbesh.fairdice.chain import LINK_BYTES, MAX_LENGTH, Chain
from sheshbesh.fairdice.throw import is_game_id
from sheshbesh.rules import Refused

if TYPE_CHECKING:
    from types import ModuleType

MEMBER = "sheshbesh-dice-envelope.txt"
MIN_PASSWORD = 20
"""Characters. The format derives its key quickly, so a password somebody thought up would be guessed."""

_MAX_BYTES = 1 << 20
_LETTER = """\
SHESHBESH DICE ENVELOPE, version 1

This file was given to you before the game, closed. It holds the numbers that
the server had to use for its part of every throw: one line for each throw, in
order. The dice of a throw are made from three such numbers, the server's, the
white player's and the black player's, so nobody could read a roll from this
file alone, not even with the password.

After the game, compare the lines with the record of the game: the number in
the field "server" of each throw must be the one written here. The command

    sheshbesh verify-dice RECORD --envelope THIS-ENVELOPE

does that, and throws every throw of the record again. How the dice follow from
the numbers is described in the guide to fair dice.

"""


@dataclass(frozen=True, slots=True)
class Envelope:
    """The content of an opened envelope: `links[k - 1]` is link k, for throw `first` + k - 1 of the game."""

    game: str
    first: int
    anchor: bytes
    links: tuple[bytes, ...]


def make_password(entropy: bytes) -> str:
    """A password that can be read aloud, from at least 16 unpredictable bytes; ValueError for fewer."""
    if len(entropy) < 16:
        raise ValueError(f"a password needs 16 bytes of entropy, not {len(entropy)}")
    letters = b32encode(entropy[:20]).decode("ascii").rstrip("=").lower()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def seal(chain: Chain, *, game: str, first: int = 1, password: str) -> bytes:
    """The envelope of the server's chain: a zip file with AES-256 that 7-Zip and WinZip open.

    `first` is the number of the throw for which the chain begins. Give the password out only after
    the game. ValueError for a password shorter than 20 characters; the salt comes from the system.
    """
    if len(password) < MIN_PASSWORD:
        raise ValueError(f"the password of an envelope has at least {MIN_PASSWORD} characters")
    zipper = _zipper()
    buffer = io.BytesIO()
    with zipper.AESZipFile(buffer, "w", encryption=zipper.WZ_AES) as archive:
        archive.setpassword(password.encode())
        archive.comment = f"Server's part of the dice of {game}. Anchor {chain.anchor.hex()}".encode("ascii")
        # A fixed date: the file reveals nothing that is not written in it.
        member = archive.zipinfo_cls(MEMBER, (1980, 1, 1, 0, 0, 0))
        member.compress_type = zipper.ZIP_DEFLATED
        archive.writestr(member, _write(chain, game, first))
    return buffer.getvalue()


def open_envelope(data: bytes, password: str) -> Envelope:
    """Read an envelope; Refused if it is damaged or the password is wrong."""
    zipper = _zipper()
    try:
        with zipper.AESZipFile(io.BytesIO(data)) as archive:
            archive.setpassword(password.encode())
            with archive.open(MEMBER) as member:
                # Read in full so that the archive's own check is reached, but never without bound.
                text = member.read(_MAX_BYTES)
    except RuntimeError:
        # How both zipfile and pyzipper report a wrong password.
        raise Refused.of("envelope.password_wrong") from None
    except (
        zipper.BadZipFile,
        KeyError,
        ValueError,
        OSError,
        EOFError,
        NotImplementedError,
        zlib.error,
        struct.error,
    ):
        raise Refused.of("envelope.damaged") from None
    return _read(text)


def _write(chain: Chain, game: str, first: int) -> str:
    lines = [f"game {game}", f"first {first}", f"length {chain.length}", f"anchor {chain.anchor.hex()}"]
    lines += [f"link {index} {chain.link(index).hex()}" for index in range(1, chain.length + 1)]
    return _LETTER + "\n".join(lines) + "\n"


def _read(data: bytes) -> Envelope:
    fields: dict[str, str] = {}
    try:
        body = data.decode("utf-8").replace("\r\n", "\n").split("\n\n")[-1]
        for line in body.strip().split("\n"):
            name, _, value = line.rpartition(" ")
            fields[name] = value
        length = int(fields["length"])
        if not (1 <= length <= MAX_LENGTH and is_game_id(fields["game"])):
            raise Refused.of("envelope.damaged")
        links = tuple(bytes.fromhex(fields[f"link {index}"]) for index in range(1, length + 1))
        anchor = bytes.fromhex(fields["anchor"])
        first = int(fields["first"])
    except (UnicodeDecodeError, ValueError, KeyError):
        raise Refused.of("envelope.damaged") from None
    if any(len(link) != LINK_BYTES for link in (anchor, *links)):
        raise Refused.of("envelope.damaged")
    return Envelope(fields["game"], first, anchor, links)


def _zipper() -> ModuleType:
    # Loaded when an envelope is made or opened: dice alone must not pay for a cipher library.
    import pyzipper

    module: ModuleType = pyzipper
    return module
