"""Writes the pages of the documentation that are made from the program itself.

    python tools/generate_docs.py            write them
    python tools/generate_docs.py --check    exit 1 if a committed page is stale

The games, the axes, the rule ids and the Python reference are written nowhere by hand: the pages
come from the variant files, the schema, the refusals and the docstrings. They are committed, so that
they can be read without building anything; a test checks that they are fresh.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import sheshbesh as sb
from reference_page import reference_lines
from sheshbesh.rules.axes import AXES, TABLE_ONLY
from sheshbesh.rules.card import card_lines
from sheshbesh.rules.options import format_value

DOCS = Path(__file__).resolve().parents[1] / "docs"
NOTE = "<!-- Made by tools/generate_docs.py from the program itself: change that and run it again. -->"

EXAMPLE_DICE = ((3, 1), (6, 5), (6, 6))
"""The throws shown from every start: a small one, a long one, and a double."""


def _cell(text: object) -> str:
    """Text that stays in its cell of a table."""
    return str(text).replace("|", "\\|").replace("\n", " ")


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    names = list(head)
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)
    for row in rows:
        yield "| " + " | ".join(_cell(cell) for cell in row) + " |"


def _page(lines: Iterable[str]) -> str:
    text = "\n".join((NOTE, "", *lines)).rstrip() + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)


# --- games ------------------------------------------------------------------------------------------


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{point}: {count}" for point, count in value.items()) or "nothing on the board"
    return format_value(value)


def _head(game: sb.Variant) -> Iterator[str]:
    data = game._data
    yield f"# {data.title}"
    yield ""
    yield data.description
    yield ""
    native = ", ".join(f"{name} ({language})" for language, name in data.native.items())
    facts = {
        "Played in": data.region,
        "Names": native,
        "Also called": ", ".join(data.aliases),
        "Like": f"[{sb.variant(data.base).title}]({data.base}.md), but for what is said here"
        if data.base
        else "",
    }
    yield from (f"* **{key}** {text}" for key, text in facts.items() if text)
    yield ""
    yield "```sh"
    yield f"sheshbesh play {game.name}"
    yield f"sheshbesh rules {game.name}"
    yield "```"


def _start(game: sb.Variant) -> Iterator[str]:
    start = game.start()
    yield "## The start"
    yield ""
    yield "```text"
    yield from str(start).splitlines()
    yield "```"
    yield ""
    yield f"Position id `{start.id}`. Some first throws:"
    yield ""
    rows = []
    for dice in EXAMPLE_DICE:
        plays = start.legal_plays(dice)
        shown = ", ".join(f"`{play.notation}`" for play in plays[:3]) + (" …" if len(plays) > 3 else "")
        rows.append((f"{dice[0]}-{dice[1]}", len(plays), shown))
    yield from _table(("throw", "legal plays", "for instance"), rows)


def _rules(game: sb.Variant) -> Iterator[str]:
    """The rule card: every rule in words with its source."""
    yield "## The rules"
    yield ""
    yield "Where a source leaves room, the reading refers to the [rule sheets](../rules/rules.md)"
    yield "(A, B) and those of [the kin](../rules/kin.md) (D)."
    yield ""
    topic = ""
    quoted = set()
    for line in card_lines(game._data):
        if line.topic == "Options":
            continue
        if line.topic != topic:
            topic = line.topic
            yield f"### {topic}"
            yield ""
        yield line.text
        yield ""
        if line.quote and line.quote not in quoted:
            quoted.add(line.quote)
            yield f"> {line.quote}"
            yield ""
        reading = f" — reading: {line.note.rstrip('.')}." if line.note else ""
        yield f"*{line.source}*{reading}"
        yield ""


def _answers(game: sb.Variant) -> Iterator[str]:
    """What this game's file answers otherwise than its base."""
    data = game._data
    if data.base is None:
        return
    base = sb.variant(data.base)
    yield "## As data"
    yield ""
    rows = [
        (f"`{table}.{key}`", _value(value), _value(base.axes[table][key]))
        for table, keys in data.axes.items()
        for key, value in keys.items()
        if value != base.axes[table][key]
    ]
    yield f"The [axes](../rules/axes.md) on which the game differs from {base.title.lower()}:"
    yield ""
    yield from _table(("axis", "here", base.title), rows)


def _options(game: sb.Variant) -> Iterator[str]:
    yield "## Options"
    yield ""
    yield (
        f'Set with `sb.variant("{game.name}", keyword=value)` or `--option keyword=value`; the value in bold '
        "is the game itself. *Rule* options change legal plays or results, *card* options belong to a table."
    )
    yield ""
    rows = []
    for name, spec in game._data.options.items():
        first, *others = (format_value(value) for value in spec.values)
        rows.append((f"`{name}`", ", ".join([f"**{first}**", *others]), spec.doc, spec.level, spec.source))
    yield from _table(("keyword", "values", "decides", "level", "source"), rows)


def game_page(game: sb.Variant) -> str:
    """The page of one game."""
    parts = (_head, _start, _rules, _options, _answers)
    return _page(line for part in parts for line in (*part(game), ""))


def games_index() -> str:
    """The list of all games."""
    games = [sb.variant(name) for name in sb.variants()]
    rows = (
        (
            f"[{game.title}]({game.name}.md)",
            f"`{game.name}`",
            game.region,
            game.axes["contact"]["kind"],
            game.axes["board"]["movement"],
            "cube" if game.axes["cube"]["use"] else "",
        )
        for game in games
    )
    text = (
        "# The games",
        "",
        f"{len(games)} games of the family. Each page is made from the game's variant file: its rules in "
        "words, where they are written, and how else people play it.",
        "",
        *_table(("game", "name", "played in", "contact", "movement", "cube"), rows),
    )
    return _page(text)


# --- axes and rule ids ------------------------------------------------------------------------------


def axes_page() -> str:
    """Every axis with its allowed values and the games that answer unlike backgammon."""
    root = sb.variant("backgammon")
    games = [sb.variant(name) for name in sb.variants()]
    lines = [
        "# Axes",
        "",
        "Every question that a rule set answers. A game is a point in this space and nothing else: its",
        "file in `src/sheshbesh/rules/variants/` names the answers that differ from its base. Points are the",
        "player's own, 24 (start) down to 1. References such as B 13 are to the [rule sheets](rules.md).",
        "",
    ]
    for table, keys in AXES.items():
        lines += [f"## {table}", ""]
        if table in TABLE_ONLY:
            lines += ["Belongs to the table: it changes no legal play and no result.", ""]
        rows = []
        for key, axis in keys.items():
            others = [game.name for game in games if game.axes[table][key] != root.axes[table][key]]
            rows.append(
                (f"`{key}`", axis.allowed, axis.doc, _value(root.axes[table][key]), ", ".join(others))
            )
        lines += [*_table(("key", "allowed", "meaning", "backgammon", "others that differ"), rows), ""]
    return _page(lines)


def refusals_page() -> str:
    """Every rule id with the axis that decides it and its sentences."""
    lines = [
        "# Why a play is refused",
        "",
        "The closed list of rule ids that a refusal can name (`sb.RULES`), in the words a player reads.",
        "`{value}` is the answer of the game on that axis. The source is the one that the game's file gives.",
        "",
    ]
    rows = (
        (
            f"`{rule}`",
            f"`{text.axis[0]}.{text.axis[1]}`" if text.axis else "",
            "; ".join(
                f"{value}: {sentence}" if value else sentence for value, sentence in text.wording.items()
            ),
        )
        for rule, text in sb.RULES.items()
    )
    return _page([*lines, *_table(("id", "axis", "sentence"), rows)])


# --- writing ----------------------------------------------------------------------------------------


def pages() -> dict[Path, str]:
    """Every made page by its path below `docs/`."""
    made = {Path("games") / f"{name}.md": game_page(sb.variant(name)) for name in sb.variants()}
    return made | {
        Path("games/index.md"): games_index(),
        Path("rules/axes.md"): axes_page(),
        Path("rules/refusals.md"): refusals_page(),
        Path("reference/index.md"): _page(reference_lines()),
    }


def stale_pages(docs: Path = DOCS) -> list[Path]:
    """The pages below `docs` that are not as they would be written now."""
    made = pages()
    stale = [
        path
        for path, text in made.items()
        if not (docs / path).is_file() or (docs / path).read_text("utf-8") != text
    ]
    left_over = [
        path.relative_to(docs) for path in (docs / "games").glob("*.md") if path.relative_to(docs) not in made
    ]
    return stale + left_over


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check name the stale ones."""
    if arguments == ["--check"]:
        stale = stale_pages()
        for path in stale:
            print(f"docs/{path.as_posix()} is stale: run python tools/generate_docs.py", file=sys.stderr)
        return 1 if stale else 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    for path, text in pages().items():
        target = DOCS / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
