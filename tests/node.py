"""What the page's modules answer in node, asked through the scripts `tests/web/ask-*.js`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.waiting import PATIENCE

_CHECKOUT = Path(__file__).parents[1]
_CALL = """
import { readFileSync } from "node:fs";
import { answer } from "./tests/web/ask-NAME.js";
const asked = JSON.parse(readFileSync(0, "utf8"));
const answers = await answer(asked, (path) => new Uint8Array(readFileSync(path)));
process.stdout.write(JSON.stringify(answers));
"""


def ask_node(asked: dict[str, Any], name: str = "core") -> Any:
    """Return what `answer` of the script of this name answers; it reads files of the checkout."""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", _CALL.replace("NAME", name)],
        cwd=_CHECKOUT,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=5 * PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
