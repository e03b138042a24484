"""What several tests of training share."""

from __future__ import annotations

from pathlib import Path

import pytest

import sheshbesh as sb
from tests.shared import folder_of_all, made_once


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of hypergammon."""
    # Only here, so that tests of this folder that need no PyTorch run without it.
    from sheshbesh.training import recipe
    from sheshbesh.training.run import TrainingRun
    from sheshbesh.work import Here
    from tests.training.small import small_recipe

    def train(folder: Path) -> None:
        plan = recipe.load(small_recipe(folder))
        TrainingRun(sb.variant("hypergammon"), plan, folder, work=Here()).train()

    return made_once(folder_of_all(tmp_path_factory) / "trained", train)


@pytest.fixture
def short_gates(monkeypatch: pytest.MonkeyPatch) -> int:
    """Gates of this many pairs, where a recipe asks for more: the shipped ones ask for 10,000."""
    from sheshbesh.training.gates import Gates

    pairs, gate = 200, Gates.gate
    monkeypatch.setattr(
        Gates, "gate", lambda self, net, asked, stage: gate(self, net, min(asked, pairs), stage)
    )
    return pairs
