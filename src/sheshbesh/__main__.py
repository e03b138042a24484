"""The command `sheshbesh`, also as `python -m sheshbesh`."""

from __future__ import annotations

import os

try:
    import signal
except KeyboardInterrupt:
    os._exit(130)


class _Interrupt(KeyboardInterrupt):
    """Ctrl-C, by a type of its own.

    Python takes KeyboardInterrupt itself for unhandled once it has passed an `exec`, such as the one that
    makes a dataclass while a module is imported, and ends by the signal although it was caught.
    """


def _interrupt(*_: object) -> None:
    raise _Interrupt


def _end(*_: object) -> None:
    # Nothing is open yet, and an exception while the core is loaded would abort the process.
    os._exit(130)


def main() -> None:
    """Run the command line of this process."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeded:
        signal.signal(signal.SIGINT, _end)
    from sheshbesh.cli.main import main as run

    if heeded:
        signal.signal(signal.SIGINT, _interrupt)
    run()


if __name__ == "__main__":
    main()
