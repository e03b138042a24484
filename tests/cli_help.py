"""Calls `sheshbesh` within this process, as a script would."""

from __future__ import annotations

from collections.abc import Iterable

from click.testing import CliRunner, Result

from sheshbesh.cli.main import cli


def run(*words: str, lines: Iterable[str] = ()) -> Result:
    """Call the command with these lines typed; the end of the input follows."""
    result = CliRunner().invoke(cli, words, input="".join(f"{line}\n" for line in lines))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


class FakeTime:
    """A clock that goes on by a step whenever it is looked at."""

    def __init__(self, step: float) -> None:
        self.now = 0.0
        self.step = step

    def __call__(self) -> float:
        self.now += self.step
        return self.now
