"""The site with a queue that takes no question of a player: python -m tests.web.full_queue_site serve."""

from __future__ import annotations

from sheshbesh.cli.main import main
from sheshbesh.server.engine.queue import BOUNDS, Bounds, Urgency

if __name__ == "__main__":
    for urgency in (Urgency.ADVICE, Urgency.ANALYSIS):
        BOUNDS[urgency] = Bounds(of_one=0, of_all=0)
    main()
