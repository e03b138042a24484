"""The marker of this folder."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "peers: compares with a program by other people (extra `peers`)")
