"""Chains, and how links and seeds become dice; every figure of the guide is checked here."""

from __future__ import annotations

import gc
import hmac
import pickle
import re
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheshbesh.fairdice import LENGTH, Chain, dice_from_links, dice_from_seed, recompute
from sheshbesh.fairdice.chain import MAX_LENGTH, RESERVE, link_before
from sheshbesh.fairdice.throw import is_game_id, pair_from_stream
from tests.dice_help import Game, changed, entropy_from, other_hex, plain

GUIDE = (Path(__file__).parents[1] / "docs" / "guide" / "fair-dice.md").read_text("utf-8")
TIPS = [bytes([value]) * 32 for value in (1, 2, 3)]


def test_each_link_is_proved_by_the_one_before() -> None:
    chain = Chain(TIPS[0])
    assert chain.length == LENGTH
    assert chain.link(LENGTH) == chain.tip == TIPS[0]
    known = chain.anchor
    for index in range(1, LENGTH + 1):
        link = chain.link(index)
        assert sha256(b"sheshbesh/link/v1" + link).digest() == known
        known = link
    assert link_before(chain.tip, steps=LENGTH) == chain.anchor


@pytest.mark.parametrize("index", [0, -1, LENGTH + 1])
def test_there_are_no_links_but_those_of_the_chain(index: int) -> None:
    with pytest.raises(ValueError, match=str(index)):
        Chain(TIPS[0]).link(index)


@pytest.mark.parametrize("tip", [b"", b"x" * 31, b"x" * 33])
def test_a_tip_has_32_bytes(tip: bytes) -> None:
    with pytest.raises(ValueError, match=f"not {len(tip)}"):
        Chain(tip)


@pytest.mark.parametrize("length", [0, RESERVE, MAX_LENGTH + 1])
def test_a_chain_is_longer_than_its_reserve(length: int) -> None:
    with pytest.raises(ValueError, match="17 to 4096"):
        Chain(TIPS[0], length=length)


def test_a_chain_takes_less_than_13_kilobytes_and_keeps_its_secret() -> None:
    chain = Chain.draw(entropy_from("size"))
    (block,) = (each for each in gc.get_referents(chain) if isinstance(each, bytes))
    assert sys.getsizeof(chain) + sys.getsizeof(block) < 13_000
    assert chain.anchor.hex() in repr(chain)
    assert chain.tip.hex() not in repr(chain)
    assert pickle.loads(pickle.dumps(chain)).link(7) == chain.link(7)


def test_the_stream_passes_over_252_and_more() -> None:
    assert pair_from_stream([bytes([252, 255, 251, 253, 0])]) == (6, 1)
    assert pair_from_stream([bytes([254] * 32), bytes([255, 7]), bytes([5])]) == (2, 6)


def test_all_six_numbers_come_from_equally_many_bytes() -> None:
    dice = Counter(pair_from_stream([bytes([value, 0])])[0] for value in range(252))
    assert dice == dict.fromkeys(range(1, 7), 42)


@pytest.mark.parametrize("useless", [32, 31])
def test_the_counter_goes_on_when_a_block_is_used_up(monkeypatch: pytest.MonkeyPatch, useless: int) -> None:
    """Made with blocks 0 and 1 that hold no die, or one at their end: so rare that it must be staged."""
    asked: list[int] = []

    def block(key: bytes, message: bytes, *_: Any) -> bytes:
        asked.append(int.from_bytes(message[-4:], "big"))
        return bytes([255] * useless + [asked[-1]] * (32 - useless)) if asked[-1] < 2 else bytes([4] * 32)

    class Staged:
        def __init__(self, *given: Any) -> None:
            self.digest = lambda: block(*given)

    monkeypatch.setattr("sheshbesh.fairdice.throw.hmac", SimpleNamespace(digest=block))
    monkeypatch.setattr("sheshbesh.fairdice.recompute.hmac", SimpleNamespace(new=Staged))
    made = dice_from_seed(b"seed", game="demo/1", number=1)
    counters, asked = asked, []
    assert made == recompute.seeded_dice("demo/1", 1, b"seed") == ((5, 5) if useless == 32 else (1, 2))
    assert counters == asked == ([0, 1, 2] if useless == 32 else [0, 1])


def links_of_the_guide(index: int) -> dict[str, bytes]:
    chains = [Chain(tip) for tip in TIPS]
    return {
        party: chain.link(index) for party, chain in zip(("server", "white", "black"), chains, strict=True)
    }


def test_the_worked_example_of_the_guide() -> None:
    for row in ("anchor", "link 1"):
        cells = re.search(rf"^\| {row} \| `(\w+)` \| `(\w+)` \| `(\w+)` \|$", GUIDE, re.MULTILINE)
        assert cells is not None
        made = [Chain(tip).anchor if row == "anchor" else Chain(tip).link(1) for tip in TIPS]
        assert list(cells.groups()) == [value.hex() for value in made]
    head = b"sheshbesh/dice/v1|demo/1|1|" + b"".join(
        sha256(link).digest() for link in links_of_the_guide(1).values()
    )
    block = hmac.new(links_of_the_guide(1)["server"], head + bytes(4), "sha256")
    assert len(head) + 4 == 127
    assert f"`{block.hexdigest()}`" in " ".join(GUIDE.split())
    assert list(block.digest()[:2]) == [38, 66]
    dice = [
        dice_from_links(game="demo/1", number=number, **links_of_the_guide(number)) for number in (1, 2, 3)
    ]
    assert dice == [(3, 1), (4, 2), (1, 6)]
    without = links_of_the_guide(2) | {"white": b""}
    assert dice_from_links(game="demo/1", number=2, **without) == (2, 3)


def test_the_seed_of_the_guide() -> None:
    seed = bytes.fromhex("68656c6c6f")
    assert [dice_from_seed(seed, game="demo/1", number=number) for number in (1, 2)] == [(3, 6), (5, 5)]


def test_the_verifier_of_the_guide_finds_the_bad_throw() -> None:
    """The thirty lines that a stranger would start from are right, and agree with the dice."""
    (source,) = re.findall(r"^```python\n(import hashlib.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(source, "fair-dice.md", "exec"), names)
    events = plain(Game("demo/1").play(40).events)
    assert names["first_bad_throw"](events) is None
    assert names["first_bad_throw"](changed(events, 23, black=other_hex(events[23]["black"]))) == 23
    assert names["first_bad_throw"](changed(events, 9, dice=[7 - die for die in events[9]["dice"]])) == 9
    assert names["first_bad_throw"]([event for event in events if event.get("number") != 31]) == 31


@given(
    game=st.text("abcxyzABC019-_.:/+", min_size=1, max_size=64),
    number=st.integers(1, 10**6),
    links=st.tuples(*[st.binary(min_size=32, max_size=32)] * 3),
    missing=st.sets(st.sampled_from(["white", "black"])),
)
def test_maker_and_auditor_agree_on_the_dice(
    game: str, number: int, links: tuple[bytes, bytes, bytes], missing: set[str]
) -> None:
    named = dict(zip(("server", "white", "black"), links, strict=True)) | dict.fromkeys(missing, b"")
    made = dice_from_links(game=game, number=number, **named)
    assert made == recompute.chain_dice(game, number, named)
    assert dice_from_seed(links[0], game=game, number=number) == recompute.seeded_dice(game, number, links[0])


@pytest.mark.parametrize("game", ["", "a" * 65, "a|b", "a b", "ü", "a\n", "٣", 7, None])
def test_the_name_of_a_game_can_be_read_in_one_way_only(game: object) -> None:
    assert not is_game_id(game)
