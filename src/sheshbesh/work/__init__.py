"""Work that falls into independent parts, done by this process, by others beside it or by a cluster.

A *part* is a value that says all there is to do: which decision, which chunk of trials, which games with
which seed. What comes of it depends on the part and on what all parts share, and on nothing else, so results
are the same to the bit wherever and in whatever order parts are done. That is how work is stopped and
resumed, too: its owner keeps the results it has got and asks for the missing parts only.
"""

from __future__ import annotations

import os

from sheshbesh._core import Interrupted, Stop
from sheshbesh.work.base import Results, Work
from sheshbesh.work.processes import Here, Processes, Threads

__all__ = [
    "CLUSTER_VARIABLE",
    "Here",
    "Interrupted",
    "Processes",
    "Results",
    "Stop",
    "Threads",
    "Work",
    "open_work",
]

CLUSTER_VARIABLE = "SHESHBESH_CLUSTER"
"""The environment variable that programs take the address of a cluster from."""


def open_work(workers: int | None = 1, cluster: str | None = None) -> Work:
    """Return where parts are to be done: with an address on that cluster, else in `workers` processes here.

    One worker is this process itself; None means one process for each core. The processes import nothing of
    the program that asks, so it may be a script without a main guard, a notebook or a prompt. `cluster` is
    the address of a Dask scheduler ("tcp://10.0.0.1:8786") or the file that it wrote its address to (its
    `--scheduler-file`).
    ValueError for less than one worker; WorkError if the extra `cluster` is missing, nothing answers there,
    or the scheduler has no workers.
    """
    if workers is not None and (type(workers) is not int or workers < 1):
        raise ValueError(f"work takes one worker or more, not {workers!r}")
    if cluster is not None:
        from sheshbesh.work.cluster import Cluster

        return Cluster(cluster)
    count = workers or os.cpu_count() or 1
    return Here() if count == 1 else Processes(count)
