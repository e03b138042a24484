"""The figures as a page and as data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.site.memory import Memory
from benchmarks.site.setups import SETUPS
from benchmarks.site.steps import Step

_COLUMNS = (
    *("games", "turns/s", "actions/s", "p50", "p99", "worst", "clients late, p99"),
    *("servers", "database", "engines", "clients", "others", "servers, an action", "sent"),
)


@dataclass
class Report:
    """All that was measured; `bound` is the p99 that is asked for, `broken` the one at which it ended."""

    machine: str
    every: float
    bound: float
    broken: float
    found: dict[str, list[Step]] = field(default_factory=dict)
    memory: Memory | None = None

    def begin(self, name: str) -> list[Step]:
        """The steps of a setup, to be filled."""
        return self.found.setdefault(name, [])

    def write(self, folder: Path) -> None:
        """Write load.json and load.md."""
        data = {
            "machine": self.machine,
            "every": self.every,
            "setups": {name: [step.to_data() for step in steps] for name, steps in self.found.items()},
            "memory": asdict(self.memory) if self.memory is not None else None,
        }
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "load.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        (folder / "load.md").write_text("\n".join(self._lines()) + "\n", encoding="utf-8")

    def _lines(self) -> Iterator[str]:
        yield "# How many live games the site carries"
        yield ""
        yield "Written by `python -m benchmarks.site --out benchmarks/site/results`."
        yield f"Measured on: {self.machine}. One turn every {self.every:g} s in each game."
        yield "Work is in shares of one core; `others` is what ran on the machine beside all this."
        for name, steps in self.found.items():
            yield from ("", f"## {SETUPS[name].title}", "")
            yield "| " + " | ".join(_COLUMNS) + " |"
            yield "|" + "---|" * len(_COLUMNS)
            yield from map(_row, steps)
            yield ""
            yield self._verdict(name, steps)
        if self.memory is not None:
            yield from ("", "## Memory", "", f"{self.memory}.".capitalize())

    def _verdict(self, name: str, steps: list[Step]) -> str:
        carried = max((step.games for step in steps if step.p99 <= self.bound), default=0)
        said = f"p99 stays within {1e3 * self.bound:.0f} ms up to {carried:,} games."
        last = steps[-1] if steps else None
        if last is None or (last.p99 <= self.broken and not last.faults):
            return f"{said} It was not broken."
        what = ", ".join(f"{fault} ({times} times)" for fault, times in last.faults.items())
        cause = what or last.shortage(SETUPS[name].processes)
        return f"{said} It breaks at {last.games:,}; what is short first: {cause}."


def _row(step: Step) -> str:
    values = (
        *(f"{step.games:,}", f"{step.turns_a_second:.0f}", f"{step.actions_a_second:.0f}"),
        *(f"{1e3 * time:.1f} ms" for time in (step.p50, step.p99, step.worst, step.clients_late)),
        *(
            f"{share:.0%}"
            for share in (step.servers, step.database, step.engines, step.clients, step.strangers)
        ),
        *(f"{1e6 * step.cpu_an_action:.0f} µs", f"{step.bytes_a_second / 1e6:.1f} MB/s"),
    )
    return "| " + " | ".join(values) + " |"
