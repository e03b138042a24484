"""The conversation in docs/dev/engine-protocol.md: held again by the tests, written by

    python -m tests.cli.transcript

with the nets that are shipped. What depends on the net is masked when the two are compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "dev" / "engine-protocol.md"
_FENCE = re.compile(r"(?<=^```transcript\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_MASKS = (
    (re.compile(r"-?\d+\.\d{4}"), "#"),
    (re.compile(r"(?<= pv ).*|(?<= move ).*|(?<=^bestmove ).*|(?<=^bestmoveid ).*"), "~"),
    (re.compile(r"^(verdict) \w+( .* rank )\d+( of \d+ best ).*"), r"\1 ~\2~\3~"),
    (re.compile(r"(?<= depth )\d(?= loss)"), "~"),
    (re.compile(r"(?<=action )\w+ answer \w+|(?<=bestcube )\w+"), "~"),
    (re.compile(r"^position id .*"), "position id ~"),
    (re.compile(r"^id (name|version) .*"), r"id \1 ~"),
)


def written() -> list[str]:
    """The lines on the page."""
    found = _FENCE.search(PAGE.read_text("utf-8"))
    assert found is not None
    return found[0].splitlines()


def held(lines: list[str], ask: Callable[[str], list[str]]) -> Iterator[str]:
    """The same conversation with the answers of now."""
    for line in lines:
        if line.startswith("> "):
            yield line
            yield from ask(line.removeprefix("> "))


def masked(lines: list[str]) -> list[str]:
    """Without what another net would say otherwise, and without reasons: what it finds best has none."""
    found: list[str] = []
    for line in lines:
        if line.startswith(("because ", "reason ")):
            continue
        for pattern, instead in _MASKS:
            line = pattern.sub(instead, line)
        found.append(line)
    return found


def main() -> None:
    """Write the page anew."""
    from sheshbesh.engines import make_engine
    from sheshbesh.ubgi.dialogue import Dialogue
    from tests.cli.talk import Talk

    lines = held(written(), Talk(Dialogue(make_engine)))
    text = "".join(f"{line}\n" for line in lines)
    PAGE.write_text(_FENCE.sub(lambda _: text, PAGE.read_text("utf-8"), count=1), "utf-8")


if __name__ == "__main__":
    main()
