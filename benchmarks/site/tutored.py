"""Measure what the tutor costs the server, with and without the engine of the player's browser.

    python -m benchmarks.site.tutored [--games 100] [--turns 30]

The same kind of games is played three times against the computer: without a tutor, with one whose hints and
verdicts the server works out, and with one whose questions go to the browser. What the server and its engine
processes need beyond the first is the tutor's share. A hint is asked for at each throw. A game that is wholly
local costs the server the files of its page, once; they are fetched as often as there are games.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect
from websockets.typing import Origin

from benchmarks.site.player import Player
from benchmarks.site.server import Server
from benchmarks.site.work import children, cpu_seconds
from sheshbesh.engines import registry
from sheshbesh.rules import variant

GAME = "backgammon"
API = "/api/v1"
FILES = (
    *("/local", "/engine/worker.js", "/engine/core-relaxed.wasm", "/engine/rules.json"),
    *("/engine/games.json", "/engine/equities.json"),
)


def post(server: Server, path: str, body: dict[str, Any], cookie: str = "") -> tuple[dict[str, Any], str]:
    """Send a request to the API: what it answers, and the cookie that it sets."""
    headers = {"Content-Type": "application/json", "Origin": server.url, "Cookie": cookie}
    request = Request(f"{server.url}{API}{path}", json.dumps(body).encode(), headers)
    with urlopen(request, timeout=60) as answer:
        set_cookie = answer.headers.get("Set-Cookie") or ""
        return json.loads(answer.read() or b"{}"), set_cookie.partition(";")[0]


def play(server: Server, number: int, turns: int, tutor: str) -> int:
    """Play a game against the computer, or some turns of it; how often the tutor was asked for a play."""
    _, cookie = post(server, "/guest", {})
    opponent = {"kind": "engine", "level": "beginner"}
    wish = {"card": f"{GAME}.p1", "opponent": opponent, "side": "white", "tutor": tutor != "none"}
    made, _ = post(server, "/matches", wish, cookie)
    core = "&core=1" if tutor == "browser" else ""
    player = Player("white", random.Random(f"tutored {number}"), strict=True)
    asked, done = 0, set[tuple[str, str]]()
    address = f"ws://{server.host}:{server.port}/ws/match/{made['id']}?lang=en{core}"
    with connect(address, additional_headers={"Cookie": cookie}, origin=Origin(server.url)) as line:
        state: dict[str, Any] = {}
        key = ""

        def act() -> None:
            action = player.action(state)
            # After equal throws for the first move the key is the same, and the next link is due.
            at = f"{key} {state['dice'].get('index')}"
            if action and (at, action["type"]) not in done:
                done.add((at, action["type"]))
                line.send(json.dumps({"t": "do", "ref": f"w{len(done)}", "key": key, "d": action}))

        while asked < turns:
            frame = json.loads(line.recv(timeout=300))
            if frame["t"] == "pong" and "n" in frame:
                line.send(json.dumps({"t": "pong", "n": frame["n"]}))
            elif frame["t"] == "state":
                state, key = frame["d"], frame["key"]
                if state["phase"] == "over":
                    break
                throws = state["phase"] == "move" and "play" in state["allowed"]
                if throws and (key, "hint") not in done:
                    done.add((key, "hint"))
                    asked += 1
                    if tutor == "none":
                        act()
                    else:
                        line.send(json.dumps({"t": "hint", "ref": f"h{asked}"}))
                elif not throws:
                    act()
            elif frame["t"] in ("hint", "ask", "refused") and str(frame.get("ref", "")).startswith("h"):
                act()
    return asked


def files(server: Server, games: int) -> None:
    """Fetch what a game without a server is made of."""
    net = registry.find(variant(GAME)).manifest.sha256
    for _ in range(games):
        for name in (*FILES, f"/engine/{net}.net"):
            urlopen(Request(server.url + name, headers={"Accept-Encoding": "br"}), timeout=60).read()


def measure(tutor: str, games: int, turns: int) -> tuple[float, int]:
    """Seconds of processor time of a server and its engines, and the throws that were played."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(f"sqlite:///{folder}/site.db", Path(folder) / "log") as server,
    ):
        pids = {server.pid}

        def spent() -> float:
            pids.update(children(server.pid))
            return sum(map(cpu_seconds, pids))

        if tutor == "local":
            files(server, 1)
            before = spent()
            files(server, games)
            return spent() - before, 0
        play(server, -1, 1, tutor)  # imports, and the engine's start
        before = spent()
        throws = sum(play(server, number, turns, tutor) for number in range(games))
        return spent() - before, throws


def main() -> None:
    """Print a row for each way."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--turns", type=int, default=200, help="throws of the player in a game, at most")
    options = parser.parse_args()
    found = {}
    for tutor in ("none", "browser", "server", "local"):
        seconds, throws = measure(tutor, options.games, options.turns)
        found[tutor] = seconds / (throws or options.games)
        unit = "a throw" if throws else "a game"
        print(f"{tutor}: {seconds:.2f} s, {1000 * found[tutor]:.1f} ms {unit} ({throws} throws)", flush=True)
    share = (found["browser"] - found["none"]) / (found["server"] - found["none"])
    print(f"the tutor in the browser costs {share:.3f} of the tutor on the server")


if __name__ == "__main__":
    main()
