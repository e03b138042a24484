"""A dialogue whose work is done at once, for tests without threads."""

from __future__ import annotations

from sheshbesh.ubgi.dialogue import Dialogue
from sheshbesh.ubgi.effects import Halt, Ready, Reply, Work
from sheshbesh.ubgi.faults import error_line


class Talk:
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
            halt = Halt()
            if stopped:
                halt.tell()
            try:
                effect.run(said.append, halt)
            except Exception as error:
                said.append(error_line(error, line.split()[0]))
        return said

    def all(self, *lines: str) -> list[str]:
        return [said for line in lines for said in self(line)]
