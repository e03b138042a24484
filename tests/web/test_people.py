"""People in the browser: accounts, passkeys, devices, bots."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import Arrive
from tests.web.visitor import PASSWORD, Visitor


def sign_up(visitor: Visitor, name: str, address: str = "") -> None:
    """Make an account by the form, which leads to its page."""
    page = visitor.page
    page.goto(f"{address or visitor.site.url}/login")
    page.fill("#claim-name", name)
    page.fill("#claim-password", PASSWORD)
    page.get_by_role("button", name="Make an account").click()
    expect(page.locator("text=You are signed in as")).to_be_visible()


def account_of(arrive: Arrive, name: str) -> Visitor:
    """Somebody with an account, at its page."""
    visitor = arrive()
    visitor.claim(name)
    visitor.open("/account")
    return visitor


def test_a_name_is_claimed_by_password_and_entered_by_passkey(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    # By its name, since passkeys are bound to one.
    address = visitor.site.url.replace("127.0.0.1", "localhost")
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
    sign_up(visitor, "Nairi", address)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator("text=The passkey has been added.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("text=You have signed out.")).to_be_visible()
    page.goto(f"{address}/login")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("text=You are signed in as")).to_be_visible()
    expect(page.locator("ssb-account .lead a")).to_have_text("Nairi")


def test_devices_are_listed_and_signed_out(arrive: Arrive) -> None:
    here, other = account_of(arrive, "Sima").page, arrive()
    other.open("/login")
    there = other.page
    there.fill("#login-name", "Sima")
    there.fill("#login-password", PASSWORD)
    there.press("#login-password", "Enter")
    there.wait_for_url("**/account")
    here.reload()
    expect(here.locator("ssb-devices li")).to_have_count(2)
    here.get_by_role("button", name="Sign out all other devices").press("Enter")
    expect(here.locator("ssb-devices li")).to_have_count(1)
    expect(here.locator("ssb-devices h2")).to_be_focused()
    there.reload()
    expect(there.get_by_role("link", name="Make an account or sign in")).to_be_visible()


def test_a_bot_and_its_token_are_made_by_keys_alone_and_the_token_is_shown_once(arrive: Arrive) -> None:
    visitor = account_of(arrive, "Omer")
    page = visitor.page
    programs = page.locator("ssb-programs")
    programs.get_by_label("Name of the bot").fill("Omerbot")
    page.keyboard.press("Enter")
    expect(programs.get_by_role("dialog")).to_contain_text("for ever")
    programs.get_by_role("button", name="Make a bot").last.press("Enter")
    expect(programs.get_by_role("link", name="Omerbot")).to_be_visible()
    programs.locator("summary").press("Enter")
    programs.get_by_label("What it is for").fill("at home")
    programs.get_by_label("play", exact=True).press("Space")
    programs.get_by_label("What it is for").press("Enter")
    secret = programs.get_by_label("Token", exact=True)
    expect(secret).to_be_focused()
    token = secret.input_value()
    answer = page.request.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.json()["user"]["name"] == "Omerbot"
    page.reload()
    expect(programs.locator("li", has_text="at home")).to_contain_text("last used")
    assert token not in page.content()
    programs.get_by_role("button", name="Revoke at home").press("Enter")
    programs.get_by_role("button", name="Revoke", exact=True).last.press("Enter")
    expect(programs.locator("li", has_text="at home")).to_have_count(0)
    gone = page.request.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert gone.status == 401


def test_an_account_is_deleted_after_two_questions(arrive: Arrive) -> None:
    visitor = account_of(arrive, "Mitra")
    page = visitor.page
    leaving = page.locator("ssb-leaving")
    leaving.get_by_role("button", name="Delete the account").press("Enter")
    leaving.get_by_role("button", name="Keep the account").press("Enter")
    expect(leaving.get_by_role("dialog")).to_have_count(0)
    leaving.get_by_role("button", name="Delete the account").press("Enter")
    leaving.get_by_role("button", name="Go on").press("Enter")
    leaving.get_by_label("Password").fill("not this one")
    page.keyboard.press("Enter")
    expect(leaving.get_by_role("alert")).to_contain_text("not your password")
    leaving.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("/")
    expect(page.locator(".who")).to_contain_text("Guest")
    assert page.request.get("/api/v1/users/Mitra").status == 404


def test_a_taken_name_and_a_wrong_password_are_said_beside_the_form(arrive: Arrive) -> None:
    arrive().claim("Taraneh")
    visitor = arrive()
    visitor.open("/login")
    page = visitor.page
    page.fill("#claim-name", "taraneh")
    page.fill("#claim-password", PASSWORD)
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("alert")).to_contain_text("taken")
    page.fill("#login-name", "Taraneh")
    page.fill("#login-password", "wrong password")
    page.locator("form").nth(1).get_by_role("button").click()
    expect(page.get_by_role("alert")).to_contain_text("do not belong together")


def test_signing_up_from_a_phone_takes_one_tap_and_ends_where_one_was(arrive: Arrive) -> None:
    visitor = arrive(viewport={"width": 390, "height": 844})
    visitor.open("/watch")
    page = visitor.page
    page.locator(".top .who").click()
    page.fill("#claim-name", "Mahsa")
    page.fill("#claim-password", PASSWORD)
    page.locator("#claim-password").press("Enter")
    page.wait_for_url("/watch")
    expect(page.locator(".top .who")).to_have_attribute("href", "/u/Mahsa")
