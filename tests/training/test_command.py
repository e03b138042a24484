"""`sheshbesh train` where nothing is installed to train with."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from sheshbesh.cli.main import cli


def test_without_pytorch_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    done = CliRunner().invoke(cli, ["train", "tapa"])
    assert done.exit_code == 2
    assert "sheshbesh[train]" in done.output


@pytest.mark.parametrize("arguments", [[], ["tapa", "--games", "5", "--minutes", "1"]])
def test_a_command_that_does_not_say_what_to_do_is_refused(arguments: list[str]) -> None:
    assert CliRunner().invoke(cli, ["train", *arguments]).exit_code == 2
