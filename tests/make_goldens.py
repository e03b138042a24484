"""Writes the recorded answers that tests compare with: `python -m tests.make_goldens [perft|order|games]`.

Run it on purpose only: a changed file means that plays, their order or their names have changed for
everyone who stored them. Look at the difference before committing it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import sheshbesh as sb
from sheshbesh.rules import loader
from sheshbesh.testing.contract import throw

DATA = Path(__file__).parent / "data"
PERFT, GAMES, ORDER = DATA / "perft", DATA / "games", DATA / "play_order.txt"

MOST_POSITIONS = 400_000
"""Deeper perfts than this are left to those who wait for them."""

LISTED_PLAYS = 30
"""Longer lists of plays are recorded by their first entries, their number and a digest."""

PERFT_HEADER = """\
# {title}
#
# Perft: the positions `depth` plays away, summed over the 21 different throws (or the one element
# that is owed, or the six doubles that may be named) of the distinct final positions, recursively.
# A pass counts as one position; a game that is over has none. cpp/include/sheshbesh/playout.h
#
# id; position id or start; depth; count
"""

PERFT_OPTIONS: tuple[tuple[str, str, str], ...] = (
    ("tavla", "hit_run_priority", "dice_first"),
    ("tavla", "hit_run_priority", "off"),
    ("tavla", "forced_bearoff", "before_duty"),
    ("old_english", "partial", "blocking"),
    ("tapa", "pinned_blocks_bearoff", "true"),
    ("plakoto", "mother", "false"),
    ("mahbusa", "mother_ends", "plays_on"),
    ("long_nardy", "head_exception", "any_blocked"),
    ("long_nardy", "block_rule", "none"),
    ("long_nardy", "block_transit", "false"),
    ("long_nardy", "last_roll_tie", "true"),
    ("tawla31", "closed_area", "forbidden"),
    ("tawla31", "loose_bearoff", "true"),
    ("fevga", "quarter_rule", "both"),
    ("fevga", "must_open", "any_lock"),
    ("moultezim", "quarter_rule", "none"),
    ("gul_bara", "progression_from", "1"),
    ("gul_bara", "unused_to_opponent", "true"),
    ("gul_bara", "exact_bearoff", "true"),
    ("gioul", "forfeit_simple", "true"),
    ("acey_deucey", "bonus_needs_all", "false"),
    ("acey_deucey", "exact_bearoff", "true"),
)


def game_with(name: str, option: str = "", value: str = "") -> sb.Variant:
    """The game, with one option written as a word if one is named."""
    return sb.variant(
        name, **({option: loader.load(name).own_options[option].parse(value)} if option else {})
    )


def played_positions(game: sb.Variant, seed: int) -> Iterator[tuple[str, sb.Position]]:
    """Positions of a random game that ends: from its opening, middle and end, and what is owed."""
    random = Random(seed)
    line = [game.start()]
    while line[-1].result is None and len(line) < 1000:
        _, plays = throw(line[-1], random)
        line.append(random.choice(plays).result)
    last = len(line) - 2
    for name, at in (
        ("opening", min(6, last)),
        ("middle", last // 2),
        ("late", last * 4 // 5),
        ("end", last),
    ):
        yield name, line[at]
    owing = [position for position in line if position.pending is not None]
    if owing:
        yield "owed", owing[len(owing) // 2]


def perft_lines(game: sb.Variant) -> Iterator[str]:
    """The lines of a perft file: the start and positions of a game, as deep as is cheap."""
    places = [("start", game.start()), *played_positions(game, seed=17)]
    for name, position in places:
        text = "start" if name == "start" else position.id
        before = 1
        for depth in range(1, 4):
            count = game.perft(depth, position)
            yield f"{name}-{depth}; {text}; {depth}; {count}"
            if count == 0 or count * count // before > MOST_POSITIONS:
                break
            before = count


def write_perft() -> None:
    """Write a file for every game and for some options."""
    PERFT.mkdir(exist_ok=True)
    for name, option, value in [*((name, "", "") for name in sb.variants()), *PERFT_OPTIONS]:
        game = game_with(name, option, value)
        title = f"{game.title}, {option} = {value}" if option else game.title
        path = PERFT / (f"{name}+{option}={value}.perft" if option else f"{name}.perft")
        path.write_text(PERFT_HEADER.format(title=title) + "\n".join(perft_lines(game)) + "\n", "utf-8")


def order_entry(plays: Sequence[sb.Play]) -> str:
    """The plays of a throw in order, in words; long lists shortened, with a digest of the whole."""
    words = [play.notation for play in plays]
    if len(words) <= LISTED_PLAYS:
        return ", ".join(words)
    digest = hashlib.sha256("\n".join(words).encode()).hexdigest()[:16]
    return f"{', '.join(words[:LISTED_PLAYS])} ... {len(words)} plays, {digest}"


def order_lines(name: str) -> Iterator[str]:
    """A line for some throws at the start and in positions of a game."""
    game = sb.variant(name)
    places = [("start", game.start()), *played_positions(game, seed=29)]
    random = Random(31)
    for label, position in places:
        if position.pending is not None:
            throws = [str(throw(position, random)[0])]
        else:
            throws = ["6-5", "3-1", "1-1", "6-6"] if label == "start" else ["6-5", "2-1", "3-3"]
        for dice in throws:
            plays = position.legal_plays(sb.Roll.parse(dice))
            yield f"{name} | {position.id} | {dice} | {order_entry(plays)}"


def write_order() -> None:
    """Write the snapshot of the order of plays."""
    lines = [line for name in sb.variants() for line in order_lines(name)]
    header = "# The order and the words of plays are promises.\n# game | position | dice | plays\n"
    ORDER.write_text(header + "\n".join(lines) + "\n", "utf-8")


def game_lines(name: str) -> list[str]:
    """A random game of a good length, a line for each throw or owed element, and its result."""
    for seed in range(1000):
        random = Random(f"{name} {seed}")
        position = sb.variant(name).start(turn=sb.Side.WHITE)
        lines = [f"# {sb.variant(name).title}: a game played at random", f"start -> {position.id}"]
        while position.result is None and len(lines) < 150:
            dice, plays = throw(position, random)
            play = random.choice(plays)
            lines.append(f"{position.turn} {dice}: {play.notation} -> {play.result.id}")
            position = play.result
        if position.result is not None and len(lines) > 8:
            return [*lines, f"result: {position.result}"]
    raise SystemExit(f"{name}: no random game ended in time")


def write_games() -> None:
    """Write a golden game for every game."""
    GAMES.mkdir(exist_ok=True)
    for name in sb.variants():
        (GAMES / f"{name}.txt").write_text("\n".join(game_lines(name)) + "\n", "utf-8")


WRITERS = {"perft": write_perft, "order": write_order, "games": write_games}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or WRITERS:
        WRITERS[wanted]()
