"""People in the browser: accounts, passkeys, the lobby, talk, with the real site behind the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.site import LiveSite

_SECONDS = 30_000
PASSWORD = "correct horse battery"


@pytest.fixture
def address(site: LiveSite) -> str:
    """The site by its name, since passkeys are bound to one."""
    return site.url.replace("127.0.0.1", "localhost")


def visit(chromium: Browser, where: str) -> Page:
    """A stranger's browser at a page."""
    page = chromium.new_context(locale="en").new_page()
    page.set_default_timeout(_SECONDS)
    page.goto(where)
    return page


def claim(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/login")
    page.fill("#claim-name", name)
    page.fill("#claim-password", PASSWORD)
    page.get_by_role("button", name="Make an account").click()
    expect(page.locator("text=You are signed in as")).to_be_visible(timeout=_SECONDS)


def test_a_name_is_claimed_by_password_and_entered_by_passkey(chromium: Browser, address: str) -> None:
    page = visit(chromium, f"{address}/login")
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    claim(page, address, "Nava")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator("text=The passkey has been added.")).to_be_visible(timeout=_SECONDS)
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{address}/login")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("text=You are signed in as")).to_be_visible(timeout=_SECONDS)
    expect(page.locator("ssb-login a")).to_have_text("Nava")
    page.context.close()


def test_a_taken_name_and_a_wrong_password_are_said_beside_the_form(chromium: Browser, address: str) -> None:
    page = visit(chromium, f"{address}/login")
    page.fill("#claim-name", "nava")
    page.fill("#claim-password", PASSWORD)
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("alert")).to_contain_text("taken", timeout=_SECONDS)
    page.fill("#login-name", "Nava")
    page.fill("#login-password", "wrong password")
    page.locator("form").nth(1).get_by_role("button").click()
    expect(page.get_by_role("alert")).to_contain_text("do not belong together", timeout=_SECONDS)
    page.context.close()


def test_two_strangers_find_each_other_in_the_lobby(chromium: Browser, address: str) -> None:
    one, two = visit(chromium, f"{address}/lobby"), visit(chromium, f"{address}/lobby")
    for page in (one, two):
        expect(page.locator("h1")).to_have_text("Lobby", timeout=_SECONDS)
    ask = """() => fetch("/api/v1/seeks", {method: "POST", headers: {"Content-Type": "application/json"},
        body: JSON.stringify({card: "tavla.p1"})}).then((answer) => answer.status)"""
    assert one.evaluate(ask) == 200
    two.get_by_role("button", name="Play", exact=True).click()
    for page in (one, two):
        page.wait_for_url("**/m/*", timeout=_SECONDS)
        expect(page.locator("ssb-board")).to_be_visible(timeout=_SECONDS)
    assert one.url == two.url
    for page in (one, two):
        page.context.close()
