"""A message to a browser that shows no page of the site: what it says, and where a tap on it leads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.waiting import until
from tests.web.browser import answered
from tests.web.conftest import Arrive

# A browser without windows shows no messages, and only a person's tap may open one or bring it to the front.
_WATCHED = """() => {
  self.did = [];
  self.registration.showNotification = async (...shown) => void self.did.push(["shown", ...shown]);
  WindowClient.prototype.focus = async function () { self.did.push(["focus", new URL(this.url).pathname]); };
  Clients.prototype.openWindow = async (url) => void self.did.push(["open", url]);
}"""
_TAP = """async (data) => {
  const event = new ExtendableEvent("notificationclick");
  const work = [];
  event.waitUntil = (each) => work.push(each);
  event.notification = { data, close: () => self.did.push(["close"]) };
  self.dispatchEvent(event);
  await Promise.all(work);
}"""

_IS_KEPT = """async () => {
  await navigator.serviceWorker.register("/sw.js").catch(() => {});
  return (await navigator.serviceWorker.getRegistration())?.active != null;
}"""
"""As every page does when it is opened: an installation for which a file could not be had is begun again.
`navigator.serviceWorker.ready` would wait for ever for one of which nothing is left."""


class Telephone:
    """A browser that has been at the site, with its service worker."""

    def __init__(self, page: Page) -> None:
        self.page = page
        # Told of by a message of its own, which may come after what the page says.
        self._worker = until(lambda: page.evaluate("true") and page.context.service_workers)[0]
        self._worker.evaluate(_WATCHED)

    def deliver(self, message: dict[str, str]) -> None:
        """What a push service would deliver."""
        protocol = self.page.context.new_cdp_session(self.page)
        ids: list[str] = []
        protocol.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: ids.extend(each["registrationId"] for each in event["registrations"]),
        )
        protocol.send("ServiceWorker.enable")
        until(lambda: self.page.evaluate("true") and ids)
        origin = self.page.evaluate("location.origin")
        call = {"origin": origin, "registrationId": ids[0], "data": json.dumps(message)}
        protocol.send("ServiceWorker.deliverPushMessage", call)

    def tap(self, url: str) -> None:
        """Somebody taps on the message about this match."""
        self._worker.evaluate(_TAP, url)

    def did(self) -> list[Any]:
        """What the worker has done since the last time."""
        found: list[Any] = self._worker.evaluate("self.did.splice(0)")
        return found


@pytest.fixture
def telephone(arrive: Arrive) -> Telephone:
    visitor = arrive({"lang": "en"}, service_workers="allow")
    visitor.open("/login")
    until(lambda: answered(visitor.page, _IS_KEPT))
    return Telephone(visitor.page)


def test_a_message_says_which_game_waits(telephone: Telephone) -> None:
    body = "\u0646\u0648\u0628\u062a \u0634\u0645\u0627"
    telephone.deliver({"title": "Sheshbesh", "body": body, "url": "/m/one"})
    did = until(telephone.did)
    how = {"body": body, "data": "/m/one", "tag": "/m/one", "icon": "/icons/icon-192.png"}
    assert did == [["shown", "Sheshbesh", how]]
    assert telephone.page.request.get(telephone.page.url.replace("/login", how["icon"])).ok


def test_a_tap_on_a_message_leads_to_its_match(telephone: Telephone) -> None:
    page = telephone.page
    telephone.tap("/m/one")
    page.wait_for_url("**/m/one")
    assert telephone.did() == [["close"], ["focus", "/login"]]
    other = page.context.new_page()
    other.goto(page.url.replace("/m/one", "/m/two"))
    until(lambda: answered(other, _IS_KEPT))
    telephone.tap("/m/one")
    assert telephone.did() == [["close"], ["focus", "/m/one"]], "the page that shows the match, not the other"
    assert other.url.endswith("/m/two")
    other.close()
    page.close()
    telephone.tap("/m/three")
    assert telephone.did() == [["close"], ["open", "/m/three"]]
