"""Stands for an engine that `tests/engines.py` forks, and lives as long: arguments SOCKET [OPTION ...]."""

import socket
import sys

with socket.socket(socket.AF_UNIX) as line:
    line.connect(sys.argv[1])
    socket.send_fds(line, ["\n".join(sys.argv[1:]).encode()], [0, 1])
    line.recv(1)  # nothing ever comes but the end
