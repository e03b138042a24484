"""The command `sheshbesh`, also as `python -m sheshbesh`."""

from __future__ import annotations

import signal
import sys


class _Interrupt(KeyboardInterrupt):
    """Ctrl-C, by a type of its own.

    Python takes KeyboardInterrupt itself for unhandled once it has passed an `exec`, such as the one that
    makes a dataclass while a module is imported, and ends by the signal although it was caught.
    """


def _interrupt(*_: object) -> None:
    raise _Interrupt


def main() -> None:
    """Run the command line of this process."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        from sheshbesh.cli.main import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
