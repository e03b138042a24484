"""Random matches as a hypothesis state machine; the walk and its laws are in `session_machine`."""

from __future__ import annotations

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

import sheshbesh as sb
from sheshbesh.match import Card
from sheshbesh.session import Phase
from tests.session_machine import Walk, soak, walk


class Matches(RuleBasedStateMachine):
    """Legal and illegal actions in any order; every law is checked after each of them."""

    walk: Walk

    @initialize(seed=st.integers(0, 2**32))
    def sit_down(self, seed: int) -> None:
        self.walk = Walk(random.Random(seed))

    @precondition(lambda self: self.walk.state.phase is not Phase.OVER)
    @rule(times=st.integers(1, 20))
    def legal(self, times: int) -> None:
        for _ in range(times):
            if self.walk.state.phase is not Phase.OVER:
                self.walk.legal()

    @rule()
    def illegal(self) -> None:
        self.walk.illegal()

    def teardown(self) -> None:
        if hasattr(self, "walk"):
            self.walk.check_record()


TestMatches = Matches.TestCase
TestMatches.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)


@pytest.mark.parametrize("game", sb.variants())
def test_a_match_of_every_game(game: str) -> None:
    match = walk(random.Random(game), 400, Card(game=game, length=3))
    assert match.events


def test_the_walk_meets_every_phase_and_most_refusals() -> None:
    refused = set[str]()
    endings = set[str | None]()
    for match in soak(3000, seed=5):
        refused |= set(match.refused)
        endings.add(match.state.ending)
    assert len(refused) > 15
    assert "points" in endings
