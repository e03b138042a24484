"""The site with a queue that takes no question of a player: python -m tests.web.full_queue_site serve."""

from __future__ import annotations

from sheshbesh.cli.main import main
from sheshbesh.server.engines import queue

if __name__ == "__main__":
    for urgency in (queue.Urgency.ADVICE, queue.Urgency.ANALYSIS):
        queue.BOUNDS[urgency] = queue._Bounds(of_one=0, of_all=0)
    main()
