"""Why a step of the dice procedure is refused: a closed list of ids with their wording."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sheshbesh.rules.refusal import declare_rules

SOURCE = "docs/guide/fair-dice.md"

DICE_RULES: Mapping[str, str] = MappingProxyType(
    {
        "dice.anchor_missing": "the dice are not ready: an anchor is missing",
        "dice.anchor_given": "this side has given its anchor already",
        "dice.anchor_unasked": "no new anchor is asked for now",
        "dice.anchor_malformed": "an anchor has 32 bytes",
        "dice.anchor_repeated": "this anchor is in use already; a new chain is needed",
        "dice.renewal_open": "new anchors are being asked for already",
        "dice.renewal_early": "a chain is renewed only when few links are left, or when a player lost theirs",
        "dice.server_lost": "only a player's chain can be lost; the server must keep its own",
        "dice.chain_used_up": "the chains are used up and must be renewed before the next throw",
        "dice.throw_open": "the throw before this one has not been finished",
        "dice.no_throw": "there is no throw under way",
        "dice.asked_twice": "this throw has been asked for already",
        "dice.link_early": "it is not yet this side's time to give its link",
        "dice.link_given": "this side has given its link for this throw already",
        "dice.link_late": "this link was marked as missing; the throw goes on without it",
        "dice.link_malformed": "a link has 32 bytes",
        "dice.link_wrong": "this link does not belong to the chain that was announced",
        "dice.link_missing": "the throw still waits for a link",
        "dice.link_required": "this link cannot be left out",
        "dice.server_last": "the server gives its link after the players",
        "dice.event_wrong": "this event does not follow from the ones before it",
        "envelope.damaged": "this file is not a whole dice envelope, or the password is wrong",
        "envelope.password_wrong": "the password does not open this envelope",
    }
)
"""Every id a refusal of this package can carry."""

declare_rules({rule: (text, SOURCE) for rule, text in DICE_RULES.items()})
