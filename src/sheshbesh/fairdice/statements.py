"""The meaning of an audit of dice, in plain words: what is proved, and what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sized
from dataclasses import dataclass, field

from sheshbesh.fairdice.recompute import PARTY
from sheshbesh.i18n import PluralText, Text


@dataclass(slots=True)
class Tally:
    """The things that an audit came across; places are (game, throw) or (game, throw, side)."""

    throws: Counter[str] = field(default_factory=Counter)
    modes: set[str] = field(default_factory=set)
    missing: list[tuple[str, int, str]] = field(default_factory=list)
    lost: list[tuple[str, int, str]] = field(default_factory=list)
    voided: list[tuple[str, int]] = field(default_factory=list)
    repeated: dict[tuple[str, str], int] = field(default_factory=dict)
    envelopes: int = 0
    in_envelope: int = 0


def proved(tally: Tally, problems: Sized) -> tuple[Text, ...]:
    """Return what the reader of an audit may rely on; nothing where there are problems."""
    if problems:
        return ()
    statements: list[Text] = []
    if count := tally.throws["chains"]:
        statements.append(
            PluralText(
                "{n} throw came from three chains that the server, White and Black had fixed before the "
                "first of them: no link was changed, exchanged or reordered afterwards, and the dice are "
                "those that the links give.",
                "{n} throws came from three chains that the server, White and Black had fixed before the "
                "first of them: no link was changed, exchanged or reordered afterwards, and the dice are "
                "those that the links give.",
                count,
            )
        )
        statements.append(
            Text(
                "If your own chain was made by your own program, nobody else could know or choose a roll for "
                "which your link is there before you gave that link."
            )
        )
    if tally.envelopes:
        statements.append(
            PluralText(
                "{n} throw used the server's link that was sealed in the envelope.",
                "{n} throws used the server's link that was sealed in the envelope.",
                tally.in_envelope,
            )
        )
    if count := tally.throws["seeded"]:
        statements.append(
            PluralText(
                "{n} throw followed from the seed that stands in the record.",
                "{n} throws followed from the seed that stands in the record.",
                count,
            )
        )
    return tuple(statements)


def unproved(tally: Tally) -> tuple[Text, ...]:
    """Return what the dice of this file leave open."""
    statements = _of_chains(tally) if tally.throws["chains"] else []
    if count := tally.throws["typed"]:
        statements.append(
            PluralText(
                "{n} throw was made on a real board and typed in: that proves nothing about it.",
                "{n} throws were made on a real board and typed in: that proves nothing about them.",
                count,
            )
        )
    if count := tally.throws["seeded"]:
        statements.append(
            PluralText(
                "{n} throw came from a seed: anyone with the seed knew the dice beforehand.",
                "{n} throws came from a seed: anyone with the seed knew the dice beforehand.",
                count,
            )
        )
    if not tally.throws.total():
        statements.append(Text("There is no throw in this file, so nothing is proved."))
    statements.append(
        Text(
            "That nothing was left off at the end: a last throw, or a whole game, that is not in the file "
            "cannot be missed by looking at the dice. Compare with your own record."
        )
    )
    return tuple(statements)


def _of_chains(tally: Tally) -> list[Text]:
    statements = [
        Text(
            "That the anchors were published before the game: the file shows only their order. Compare your "
            "own anchor, and the server's as you received it, with those in the file."
        ),
        Text(
            "That the three chains were in three hands: one program that holds them all, as in a game in one "
            "terminal, could know every roll beforehand, though not change it without leaving a trace."
        ),
    ]
    if "normal" in tally.modes:
        statements.append(
            Text(
                "In normal mode, that the roller did not see the dice before their cube decision: the "
                "waiting player's link comes with their own confirmation, so a server working with the "
                "roller could show them to the roller. It still could not choose them. Strict mode closes "
                "this."
            )
        )
    if "strict" in tally.modes:
        statements.append(
            Text(
                "In strict mode, that the waiting player was really asked last: the order of messages is "
                "told by the server. Your own program saw when it was asked. A silent side was not "
                "skipped, it lost time."
            )
        )
    for game, number, side in tally.missing:
        statements.append(
            Text(
                "Throw {number} of {game}: {who}'s link is missing. The server, alone or together with the "
                "other side, could choose between two rolls here, the one with this link and the one without "
                "it.",
                number=number,
                game=game,
                who=PARTY[side],
            )
        )
    for game, number, side in tally.lost:
        statements.append(
            Text(
                "From throw {number} of {game} on there are new chains, because {who} lost the old one.",
                number=number,
                game=game,
                who=PARTY[side],
            )
        )
    for game, number in tally.voided:
        statements.append(
            Text(
                "Throw {number} of {game} was begun again after a link had been given: the server together "
                "with the player who lost a chain could choose between two rolls here.",
                number=number,
                game=game,
            )
        )
    for (game, side), number in tally.repeated.items():
        statements.append(
            Text(
                "From throw {number} of {game} on {who} gave numbers that stood in this file before, so they "
                "were no secret: there the dice were unknown only because of the other two.",
                number=number,
                game=game,
                who=PARTY[side],
            )
        )
    return statements
