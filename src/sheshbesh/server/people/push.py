"""Web push: notifications that a match waits for its player, to browsers that show no page of the site."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import Connection, delete, select

from sheshbesh.i18n import Text, translate
from sheshbesh.server.ids import now_ms
from sheshbesh.server.news.push import Sender, Subscription, public_key, push_address, unpadded
from sheshbesh.server.people.person import Person
from sheshbesh.server.people.ratings import insert_for
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import push_subscriptions as table

log = logging.getLogger(__name__)

MOST = 10
"""Browsers of one person; the oldest goes when another comes."""

_THREADS = 4
"""Messages that are sent at a time; a service that is slow to answer holds nothing else of the site."""

_AUTH = 16
"""Bytes of a browser's secret."""

_YOUR_TURN = Text("It is your turn in {game}.")


class Push:
    """The subscriptions of browsers, and messages to them.

    `sender` is None where the site has no key: then nothing is offered. Messages go to push services of these
    `hosts` and below them alone, so that nobody has the server ask for addresses of their choice. `measure`
    is called with the outcome of each message: `sent`, `failed`, or `gone` where the browser is.
    """

    def __init__(
        self,
        database: Database,
        sender: Sender | None,
        hosts: tuple[str, ...],
        *,
        insecure: bool = False,
        measure: Callable[[str], None] = lambda _outcome: None,
    ) -> None:
        self._database, self._sender, self._hosts, self._measure = database, sender, hosts, measure
        self._schemes = ("https", "http") if insecure else ("https",)
        self._threads = ThreadPoolExecutor(_THREADS, "push")

    def close(self) -> None:
        """Send no more; what is being sent is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    @property
    def key(self) -> str | None:
        """The site's public key, which a browser subscribes to; None where there is none."""
        return self._sender.public if self._sender is not None else None

    def _check(self, browser: Subscription) -> None:
        try:
            address = push_address(browser.endpoint)
        except ValueError:
            raise Failure(422, "this is no address of a push service", where="endpoint") from None
        if address.scheme not in self._schemes or not any(
            address.host == known or address.host.endswith(f".{known}") for known in self._hosts
        ):
            raise Failure(422, "this push service is not known here", where="endpoint")
        try:
            public_key(unpadded(browser.p256dh))
            sound = len(unpadded(browser.auth)) == _AUTH
        except ValueError:
            sound = False
        if not sound:
            raise Failure(422, "these are no keys of a browser", where="keys")

    async def subscribe(self, person: Person, browser: Subscription, lang: str) -> None:
        """Send this browser notifications of this person's turns, in this language; of nobody else's."""
        if self._sender is None:
            raise Failure(404, "this site sends no messages")
        self._check(browser)
        values = {**browser._asdict(), "user_id": person.id, "lang": lang, "created": now_ms()}

        def put(connection: Connection) -> None:
            row = insert_for(connection, table).values(**values)
            connection.execute(row.on_conflict_do_update(index_elements=["endpoint"], set_=values))
            kept = (
                select(table.c.endpoint)
                .where(table.c.user_id == person.id)
                .order_by(table.c.created.desc())
                .limit(MOST)
            )
            connection.execute(
                delete(table).where(table.c.user_id == person.id, table.c.endpoint.not_in(kept))
            )

        await self._database.write(put)

    async def end(self, person: Person, endpoint: str) -> None:
        """Send this browser no more notifications."""
        await self._database.write(
            delete(table).where(table.c.user_id == person.id, table.c.endpoint == endpoint)
        )

    async def turn(self, user: str, match: str, title: str) -> None:
        """Tell somebody's browsers that a match waits for them, in a game by its `title`."""
        await self.tell(user, Text(_YOUR_TURN.template, game=Text(title)), f"/m/{match}")

    async def tell(self, user: str, text: Text, url: str) -> None:
        """Tell somebody's browsers something, each in its language; a tap leads to the page at `url`."""
        if self._sender is None:
            return
        sending = []
        for row in await self._database.all(select(table).where(table.c.user_id == user)):
            notification = {
                "title": translate("Sheshbesh", row.lang),
                "body": translate(text, row.lang),
                "url": url,
            }
            browser = Subscription(row.endpoint, row.p256dh, row.auth)
            sending.append(self._send(self._sender, browser, notification))
        await asyncio.gather(*sending)  # none waits for another, whose service may be slow

    async def _send(self, sender: Sender, browser: Subscription, notification: dict[str, Any]) -> None:
        text = json.dumps(notification, ensure_ascii=False).encode()
        try:
            loop = asyncio.get_running_loop()
            is_there = await loop.run_in_executor(self._threads, sender.send, text, browser)
        except OSError:
            log.warning("a push service did not answer", exc_info=True)
            self._measure("failed")
            return
        except ValueError as error:  # stored by an earlier version, and nobody will ever be reached there
            log.warning("a subscription is removed: %s", error)
            is_there = False
        self._measure("sent" if is_there else "gone")
        if not is_there:
            await self._database.write(delete(table).where(table.c.endpoint == browser.endpoint))
