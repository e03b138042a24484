"""Mail over TLS: the certificate of the mail server is checked before a password or a message leaves."""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509

from sheshbesh.server.people import mailer
from sheshbesh.server.settings import Settings
from tests.server.clock import ManualClock
from tests.server.proxy import certificate_for
from tests.waiting import PATIENCE

pytestmark = pytest.mark.anyio


def certify(folder: Path) -> Path:
    """Write a certificate for 127.0.0.1 that its own key has signed, and the key: one file."""
    certificate, key = certificate_for(folder, x509.IPAddress(ip_address("127.0.0.1")))
    path = folder / "mail.pem"
    path.write_bytes(key.read_bytes() + certificate.read_bytes())
    return path


class MailServer:
    """A mail server that notes what it is sent, and whether that came over TLS."""

    def __init__(self, certificate: Path) -> None:
        self.secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.secure.load_cert_chain(certificate)
        self.lines: list[tuple[str, bool]] = []
        self.ended = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # the other side does not trust the certificate
        finally:
            writer.close()
            self.ended.set()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.test\r\n")
        while line := (await reader.readline()).decode().strip():
            is_secure = writer.get_extra_info("ssl_object") is not None
            self.lines.append((line, is_secure))
            word = line.split()[0].upper()
            if word == "EHLO":
                offers = "250 AUTH PLAIN" if is_secure else "250 STARTTLS"
                writer.write(f"250-mail.test\r\n{offers}\r\n".encode())
            elif word == "STARTTLS":
                writer.write(b"220 go on\r\n")
                await writer.drain()
                await writer.start_tls(self.secure)
            elif word == "AUTH":
                writer.write(b"235 welcome\r\n")
            elif word == "DATA":
                writer.write(b"354 go on\r\n")
                self.lines.append(((await reader.readuntil(b"\r\n.\r\n")).decode(), is_secure))
                writer.write(b"250 ok\r\n")
            else:
                writer.write(b"221 bye\r\n" if word == "QUIT" else b"250 ok\r\n")

    def words(self) -> list[str]:
        """The first word of each line."""
        return [line.split()[0] for line, _ in self.lines]


@asynccontextmanager
async def mailing(
    certificate: Path, security: str, measure: Callable[[str], None] = lambda _outcome: None
) -> AsyncIterator[tuple[mailer.Mailer, MailServer]]:
    """A mailer, and the server that it is to send to: TLS from the first byte, or once it is asked for."""
    found = MailServer(certificate)
    secure = found.secure if security == "tls" else None
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0, ssl=secure)
    sender = mailer.Mailer(
        Settings(
            mail_host="127.0.0.1",
            mail_port=server.sockets[0].getsockname()[1],
            mail_security=security,
            mail_from="site@play.example",
            mail_user="site",
            mail_password="pass word",
        ),
        measure,
        ManualClock(),
    )
    try:
        yield sender, found
    finally:
        await sender.close()
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_password_and_message_go_over_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, security: str
) -> None:
    certificate = certify(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with mailing(certificate, security) as (sender, server):
        sender.send("nava@a.example", "Subject", "Text: ذ")
        async with asyncio.timeout(PATIENCE):
            await server.ended.wait()
    (login,) = [line for line in server.lines if line[0].startswith("AUTH PLAIN")]
    assert base64.b64decode(login[0].split()[-1]) == b"\0site\0pass word"
    plain = {line.split()[0].upper() for line, is_secure in server.lines if not is_secure}
    assert plain == ({"EHLO", "STARTTLS"} if security == "starttls" else set())
    (message,) = [line for line, _ in server.lines if line.startswith("From:")]
    assert "To: nava@a.example" in message and server.words()[-1].upper() == "QUIT"


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_a_certificate_that_is_not_trusted_gets_neither_password_nor_message(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    security: str,
) -> None:
    outcomes: asyncio.Queue[str] = asyncio.Queue()
    async with mailing(certify(tmp_path), security, outcomes.put_nowait) as (sender, server):
        sender.send("nava@a.example", "Subject", "Text")
        assert await outcomes.get() == "again"
    assert "certificate verify failed" in caplog.text
    assert {word.upper() for word in server.words()} <= {"EHLO", "STARTTLS"}
