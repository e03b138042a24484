"""The budget of the tests: what each folder may cost, and which folders cost more."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.budget import BUDGET, costs, overruns


def test_the_budget_is_seven_minutes_of_two_cores_for_folders_that_there_are() -> None:
    budget = tomllib.loads(BUDGET.read_text("utf-8"))
    assert sum(budget.values()) == 7 * 60 * 2
    assert all((BUDGET.parent / folder).is_dir() for folder in budget)


def test_a_folder_costs_its_share_of_all_cores_and_the_worst_overrun_is_named_first(tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    report.write_text(
        """<testsuites><testsuite time="30">
        <testcase classname="tests.server.test_a" time="60"/>
        <testcase classname="tests.web.board.test_b" time="30"/>
        <testcase classname="tests.test_c" time="30"/>
        </testsuite></testsuites>"""
    )
    taken = costs(report, cores=2)
    assert taken == {"server": 30, "web": 15, ".": 15}
    assert overruns(taken, {"server": 20, "web": 20}) == [
        "tests/.: 15 core-seconds, budget 0",
        "tests/server: 30 core-seconds, budget 20",
    ]
