"""Boards as pictures without a browser: SVG, PNG and animations, drawn by the measures of the page's board.

Measures and colours are read from `web/board/measures.json` and `palettes.json`, of which the page's own are
written (`tools/look.py`); a browser test holds every piece of a picture here against the page's. PNG and
animations need the packages of the extra `site`; SVG needs none.
"""

from sheshbesh.pictures.svg import MATERIALS, Look, Scene, linked, scene_of, svg

__all__ = ["MATERIALS", "Look", "Scene", "linked", "scene_of", "svg"]
