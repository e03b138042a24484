"""Scripts as they travel: without the comments that have lines of their own, a quarter of their weight.

Nothing else about them is changed. Who wants to read them reads the repository; licences travel along.
"""

from __future__ import annotations

import re

_COMMENT = re.compile(
    r"""^[ \t]*(?:
        /\*(?!!)(?:(?!\*/).)*\*/[ \t]*   # a block, and what follows it stays
      | //(?!!)[^\n]*                    # a line
    )\n?""",
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)


def without_comments(script: str) -> str:
    """A script of ours without the comments that begin its lines, except those marked with `!`."""
    return _COMMENT.sub("", script)
