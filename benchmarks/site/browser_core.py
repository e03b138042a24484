"""Measure the core in Chromium beside the native one: values, decisions, the first move, memory, the page.

    python -m benchmarks.site.browser_core

Both modules and the native core with AVX2 value the same positions, in one run, so that their ratios
hold on a machine that has other work. Times of a decision and of the first move, once the bytes are there,
are wall time in the page: on such a machine they are too long. Memory is that of the instance with one net.
What an answer of the worker costs the page's own thread is taken on the analysis board of a copy, which
`sheshbesh static` writes.
"""

from __future__ import annotations

import os
import tempfile
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from playwright.sync_api import Browser
from tests.engine.test_wasm import Native
from tests.web.browser import browsing, serving

import sheshbesh as sb
from sheshbesh import _core
from sheshbesh.server.http.static_copy import write_copy

POSITIONS, ROUNDS, DECISIONS = 1200, 60, 30
GAME = "backgammon"

_OPEN = """async ([question, build]) => {
  const { Core, ROW } = await import("/src/sheshbesh/web/engine/core.js");
  const read = async (path) => new Uint8Array(await (await fetch(`/${path}`)).arrayBuffer());
  const bytes = await read(`src/sheshbesh/web/engine/core-${build}.wasm`);
  const file = await read(question.net);
  const { instantiate } = WebAssembly;
  let memory;
  WebAssembly.instantiate = async (...given) => {
    const instance = await instantiate(...given);
    memory = instance.exports.memory;
    return instance;
  };
  const begun = performance.now();
  const core = await Core.start(await WebAssembly.compile(bytes));
  const rules = core.rules(question.rules);
  const net = core.net(file);
  const first = core.engine(rules, net, question.classMap);
  const how = { utility: core.classes(first).money, plies: 0, filters: question.filters };
  for (const _ of core.rank(first, core.start(rules, false), [3, 1], how));
  window.firstMove = performance.now() - begun;
  window.megabytes = () => memory.buffer.byteLength / 1e6;
  window.megabytesThen = window.megabytes();
  core.free("engine", first);
  const rows = Uint8Array.from(atob(question.rows), (letter) => letter.charCodeAt(0));
  const fresh = () => core.engine(rules, net, question.classMap);
  // A new engine for each round, since one would remember the positions; without `filled` that alone.
  window.value = (rounds, filled) => {
    for (let round = 0; round < rounds; round++) {
      const engine = fresh();
      for (let at = 0; filled && at < rows.length; at += 64 * ROW)
        core.evaluate(engine, rows.subarray(at, at + 64 * ROW));
      core.free("engine", engine);
    }
  };
  window.decide = (plies, count) => {
    const engine = fresh();
    const how = { utility: core.classes(engine).money, plies, filters: question.filters };
    const step = Math.floor(question.dice.length / count);
    return Array.from({ length: count }, (_, i) => {
      const row = rows.slice(i * step * ROW, (i * step + 1) * ROW);
      const from = performance.now();
      for (const _ of core.rank(engine, row, question.dice[i * step], how));
      return performance.now() - from;
    });
  };
  window.value(5, true);
  return core.isa;
}"""


_HEARD = """() => {
  // The time from an answer of the worker, which is read first, to the end of what is done with it at once,
  // and to that of its drawing, which Lit does in microtasks.
  window.heard = [];
  const { Worker } = window;
  window.Worker = class extends Worker {
    set onmessage(hear) {
      super.onmessage = async (event) => {
        const begun = performance.now();
        hear(event);
        const handled = performance.now() - begun;
        for (let i = 0; i < 200; i++) await null;
        if (event.data.found?.plays) window.heard.push([handled, performance.now() - begun]);
      };
    }
  };
}"""


def page_time(browser: Browser) -> str:
    """What an answer of the worker costs the page's thread, in milliseconds of wall time."""
    with tempfile.TemporaryDirectory() as folder:
        write_copy(Path(folder) / "copy")
        handler = partial(SimpleHTTPRequestHandler, directory=str(Path(folder) / "copy"))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            page = browser.new_page()
            page.add_init_script(f"({_HEARD})()")
            page.goto(f"http://127.0.0.1:{server.server_port}/analysis?card={GAME}.m&dice=31")
            page.wait_for_selector(".found[aria-busy=false]")
            heard = page.evaluate("window.heard")
            page.close()
            server.shutdown()
    row = f"page: {len(heard)} answers"
    for what, times in zip(("handled", "drawn"), np.transpose(heard), strict=True):
        first, later = times[0], times[1:]
        middle, most = np.median(later), later.max()
        row += f"; {what} the first in {first:.1f} ms, later in {middle:.1f}, at most {most:.1f}"
    return row


def processor_time(parent: int) -> float:
    """Seconds of processor time of all processes below one."""
    children: dict[int, list[tuple[int, int]]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = file.read_text("utf-8")
        except OSError:
            continue
        fields = text.rpartition(")")[2].split()
        children.setdefault(int(fields[1]), []).append(
            (int(text.split()[0]), int(fields[11]) + int(fields[12]))
        )
    waiting, total = [parent], 0
    while waiting:
        for child, ticks in children.get(waiting.pop(), []):
            waiting.append(child)
            total += ticks
    return total / os.sysconf("SC_CLK_TCK")


def native_speed(native: Native) -> float:
    """Evaluations a second of the native core with AVX2."""
    states = [state for state, _ in native.asked_at]
    before = _core.active_isa()
    _core.force_isa("avx2")
    try:
        searcher = native.searcher()
        rows = np.asarray(_core.to_rows(states))
        searcher.evaluate_rows(rows)
        from_ = time.process_time()
        for _ in range(ROUNDS):
            searcher.evaluate_rows(rows)
        return POSITIONS * ROUNDS / (time.process_time() - from_)
    finally:
        _core.force_isa(before)


def main() -> None:
    """Print a row for each module."""
    native = Native(GAME, (POSITIONS, 0, 0))
    question: dict[str, Any] = native.question
    avx2 = native_speed(native)
    print(f"{sb.variant(GAME).title}: native avx2 {avx2:,.0f} evaluations a second")
    with serving() as address, browsing() as browser:
        for build in ("relaxed", "simd"):
            page = browser.new_page()
            page.goto(f"{address}/src/sheshbesh/web/engine/rules.json")
            isa = page.evaluate(_OPEN, [question, build])
            times = [processor_time(os.getpid())]
            for filled in (True, False):
                page.evaluate("([rounds, filled]) => window.value(rounds, filled)", [ROUNDS, filled])
                times.append(processor_time(os.getpid()))
            speed = POSITIONS * ROUNDS / ((times[1] - times[0]) - (times[2] - times[1]))
            row = f"{isa}: {speed:,.0f}, {speed / avx2:.2f} of that"
            first, memory = page.evaluate("[window.firstMove, window.megabytesThen]")
            row += f"; first move {first:.0f} ms, {memory:.0f} MB"
            for plies in (1, 2):
                times = page.evaluate("([plies, count]) => window.decide(plies, count)", [plies, DECISIONS])
                middle, slow = np.percentile(times, (50, 95))
                row += f"; {plies} plies: median {middle:.0f} ms, p95 {slow:.0f} ms"
            print(row)
            page.close()
        print(page_time(browser))


if __name__ == "__main__":
    main()
