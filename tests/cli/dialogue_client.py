"""A dialogue whose work is done at once, for tests without threads."""

from __future__ import annotations

from sheshbesh.ubgi.answers import error_line
from sheshbesh.ubgi.dialogue import Dialogue
from sheshbesh.ubgi.effects import Ready, Reply, StopSignal, Work


class DialogueClient:
    """Sends lines and collects the answers."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue

    def __call__(self, line: str, *, stopped: bool = False) -> list[str]:
        effect = self.dialogue.feed(line)
        said: list[str] = []
        if isinstance(effect, Reply):
            said += effect.lines
        elif isinstance(effect, Ready):
            said.append("readyok")
        elif isinstance(effect, Work):
            stop_signal = StopSignal()
            if stopped:
                stop_signal.set()
            try:
                effect.run(said.append, stop_signal)
            except Exception as error:
                said.append(error_line(error, line.split()[0]))
        return said

    def all(self, *lines: str) -> list[str]:
        return [said for line in lines for said in self(line)]
