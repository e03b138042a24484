"""Somebody who sees nothing: Chromium's own accessibility tree, what live regions say, and keys."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

from playwright.sync_api import Page

from tests.waiting import until

_AGAIN = 2.0
"""Seconds without any change after which the page is read again."""
_LISTEN = """() => {
  const live = "[aria-live], [role=status], [role=alert], [role=log]";
  const said = new WeakMap();
  globalThis.heard = [];
  const hear = (changes) => {
    const regions = changes.map(({ target }) =>
      (target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement)?.closest(live));
    const modal = document.querySelector("dialog:is(:modal, [open][aria-modal])");
    for (const region of new Set(regions)) {
      // What lies behind a dialog is not there for a screen reader.
      if (!region || region.ariaLive === "off" || (modal && !modal.contains(region))) continue;
      const text = region.innerText.trim();
      if (text && text !== said.get(region)) heard.push(text);
      said.set(region, text);
    }
  };
  globalThis.changes = 0;
  const count = () => (changes += 1);
  const all = { subtree: true, childList: true, characterData: true };
  for (const root of [document, document.querySelector("ssb-board").shadowRoot]) {
    new MutationObserver(hear).observe(root, all);
    new MutationObserver(count).observe(root, { ...all, attributes: true });
  }
}"""


@dataclass(frozen=True, slots=True)
class Node:
    """One thing in the tree: what it is, what it is called, and in which state."""

    role: str
    name: str
    description: str
    focused: bool
    disabled: bool


class ScreenReader:
    """Reads a page with a board as a screen reader does, and presses keys; the mouse is never touched."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._protocol = page.context.new_cdp_session(page)
        page.evaluate(_LISTEN)
        self.heard: list[str] = []
        """What live regions have said, the last at the end."""

    def read(self) -> list[Node]:
        """The whole tree, without what is hidden from it."""
        nodes = self._protocol.send("Accessibility.getFullAXTree")["nodes"]
        return [_node(node) for node in nodes if not node.get("ignored")]

    def listen(self) -> list[str]:
        """What was said since the last time."""
        said: list[str] = self._page.evaluate("heard.splice(0)")
        self.heard += said
        return said

    def press(self, key: str) -> None:
        """Press one key, whatever has the keyboard."""
        self._page.keyboard.press(key)

    def focused(self) -> Node:
        """The innermost thing that has the keyboard."""
        return [node for node in self.read() if node.focused][-1]

    def go_to(self, role: str, name: str, *, most: int = 90) -> None:
        """Press Tab until something has the keyboard; AssertionError if it never does."""
        for _ in range(most):
            here = self.focused()
            if here.role == role and re.search(name, here.name):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not come to {role} {name!r}: {self.outline()}")

    def outline(self) -> str:
        """Names of the things that can be acted on, for messages."""
        kinds = ("button", "link", "dialog", "heading", "alert", "StaticText")
        return "; ".join(f"{n.role} {n.name}" for n in self.read() if n.name and n.role in kinds)

    # A game

    def play(self, patience: float, *, most: float) -> Node:
        """Play until a dialog says how the match has ended, and return that; AssertionError if none does.

        `patience` is in seconds without any change, `most` in all: a page that counts time changes for ever.
        Everything is done as the tree says that it can be done.
        """
        latest = monotonic() + most
        end = min(monotonic() + patience, latest)
        while monotonic() < end:
            changes = self._page.evaluate("changes")
            nodes = self.read()
            self.listen()
            dialog = next((node for node in nodes if node.role == "dialog"), None)
            if dialog is not None:
                return dialog
            self._act(nodes)
            with suppress(TimeoutError):  # what came too soon for the page is done again
                until(partial(self._is_changed, changes), seconds=_AGAIN)
                end = min(monotonic() + patience, latest)
        raise AssertionError(f"nothing can be done any more: {self.outline()}; last heard: {self.heard[-3:]}")

    def _is_changed(self, changes: int) -> bool:
        return bool(self._page.evaluate("changes") != changes)

    def _act(self, nodes: list[Node]) -> None:
        buttons = {node.name: node for node in nodes if node.role == "button" and not node.disabled}
        if any(name.endswith(", can move") for name in buttons):
            self._move(next(node for node in reversed(nodes) if node.focused))
        elif "Take" in buttons:
            self.press("t")
        elif "Roll" in buttons or "Confirm" in buttons:
            self.press("Space")

    def _move(self, here: Node) -> None:
        """Go from here to the next checker that can move, and move it."""
        if not re.match("point|bar|borne off|hand", here.name):
            self.go_to("button", r"^point \d+: ")
        self.press("n")
        here = self.focused()
        if here.name.endswith(", can move"):
            self.press("Enter")


def _node(raw: dict[str, Any]) -> Node:
    states = {each["name"]: each["value"].get("value") for each in raw.get("properties", [])}
    return Node(
        raw["role"]["value"],
        str(raw.get("name", {}).get("value", "")),
        str(raw.get("description", {}).get("value", "")),
        bool(states.get("focused")),
        bool(states.get("disabled")),
    )
