"""The site with engine processes that end at once: python -m tests.web.engineless_site serve."""

from __future__ import annotations

from sheshbesh.cli.main import main
from sheshbesh.server.engine import workers

if __name__ == "__main__":
    workers.COMMAND = ("-m", "sheshbesh", "no-such-command")
    main()
