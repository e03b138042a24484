"""Boards as pictures without a browser: SVG, PNG and animations, drawn by the measures of the page's board.

Measures are read from `web/board/geometry.js` and colours from `web/styles/board.css`, so that there is one
truth of each; a browser test holds every piece of a picture here against the page's. PNG and animations need
the packages of the extra `site`; SVG needs none.
"""

from sheshbesh.pictures.svg import MATERIALS, Look, Scene, linked, scene_of, svg

__all__ = ["MATERIALS", "Look", "Scene", "linked", "scene_of", "svg"]
