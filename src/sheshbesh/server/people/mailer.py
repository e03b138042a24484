"""Mail of the site, by SMTP: a few lines of text, sent in the background, tried again for a while.

Nobody waits for it, and what became of it goes to the log alone: an answer that depended on it would
say whether an account exists. What could not be sent is dropped when the process ends; people ask again.
"""

from __future__ import annotations

import asyncio
import logging
import smtplib
import ssl
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Final

from sheshbesh.server.ids import CLOCK, Clock
from sheshbesh.server.settings import Settings

log = logging.getLogger(__name__)

_PATIENCE: Final = 20.0
"""Seconds for which a mail server may say nothing."""
_AGAIN: Final = (10.0, 60.0, 300.0)
"""Seconds before each further try, where the mail server cannot be reached or asks to come later."""
_MOST: Final = 500
"""Messages that are on their way at once; more are dropped, and the log says so."""
_LINES: Final = 4
"""Connections to the mail server at once."""


class Mailer:
    """Sends mail by the settings of the site; `is_on` where they name a mail server.

    `measure` is called with the outcome of each try: `sent`, `again` (it is tried again later) or `failed`.
    """

    def __init__(
        self,
        settings: Settings,
        measure: Callable[[str], None] = lambda _outcome: None,
        clock: Clock = CLOCK,
    ) -> None:
        self._settings, self._measure, self._clock = settings, measure, clock
        self._sending: set[asyncio.Task[None]] = set()
        self._line = asyncio.Semaphore(_LINES)

    @property
    def is_on(self) -> bool:
        """True if the site sends mail."""
        return bool(self._settings.mail_host)

    @property
    def site(self) -> str:
        """The address by which browsers reach the site."""
        return self._settings.origin or min(self._settings.origins)

    def link(self, fragment: str) -> str:
        """The address of the page that a link in a mail opens; servers and proxies do not see the
        fragment."""
        return f"{self.site}/mail#{fragment}"

    def send(self, to: str, subject: str, text: str) -> None:
        """Send a message, some time soon."""
        if len(self._sending) >= _MOST:
            log.error("too much mail is on its way: a message was dropped")
            self._measure("failed")
            return
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._settings.mail_from, to, subject
        message["Date"], message["Auto-Submitted"] = formatdate(usegmt=True), "auto-generated"
        message["Message-ID"] = make_msgid(domain=self._settings.mail_from.rpartition("@")[2].rstrip("> "))
        message.set_content(text)
        task = asyncio.create_task(self._send(message))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def close(self) -> None:
        """Give up what is not sent yet."""
        for task in tuple(self._sending):
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)

    async def _send(self, message: EmailMessage) -> None:
        for wait in (*_AGAIN, None):
            try:
                async with self._line:
                    await asyncio.to_thread(self._deliver, message)
                self._measure("sent")
                return
            except smtplib.SMTPRecipientsRefused as error:
                if wait is None or not all(400 <= code < 500 for code, _ in error.recipients.values()):
                    log.warning("the mail server does not take mail for an address")
                    self._measure("failed")
                    return
            except (OSError, smtplib.SMTPException):
                log.exception("mail could not be sent")
                if wait is None:
                    self._measure("failed")
                    return
            self._measure("again")
            await self._clock.sleep(wait)

    def _deliver(self, message: EmailMessage) -> None:
        """Hand a message to the mail server; blocks."""
        settings = self._settings
        secure = ssl.create_default_context()
        if settings.mail_security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                settings.mail_host, settings.mail_port, timeout=_PATIENCE, context=secure
            )
        else:
            server = smtplib.SMTP(settings.mail_host, settings.mail_port, timeout=_PATIENCE)
        with server:
            if settings.mail_security == "starttls":
                server.starttls(context=secure)
            if settings.mail_user:
                server.login(settings.mail_user, settings.mail_password)
            server.send_message(message)
