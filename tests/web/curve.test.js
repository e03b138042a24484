import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "../../src/sheshbesh/web/app/rating-scale.js";

test("a curve begins at the rating before the first match and keeps to its grid", () => {
  const { points, grid } = layOut([
    { before: 1500, after: 1662, at: 0 },
    { before: 1662, after: 1571, at: 3000 },
    { before: 1571, after: 1630, at: 4000 },
  ]);
  assert.equal(points.length, 4);
  assert.deepEqual(
    grid.map(({ rating }) => rating),
    [1500, 1550, 1600, 1650, 1700],
  );
  assert.equal(points[0].y, grid[0].y);
  const [{ y: bottom }, { y: top }] = [grid[0], grid[grid.length - 1]];
  assert.ok(points.every(({ y }) => y <= bottom && y >= top));
  const across = points.map(({ x }) => x);
  assert.deepEqual(
    across,
    [...across].sort((a, b) => a - b),
  );
  // Time is to scale: three quarters of it between the first and the second match.
  assert.ok(Math.abs((across[2] - across[1]) / (across[3] - across[1]) - 0.75) < 1e-9);
});

test("a single match, and ratings that do not change, are drawn as well", () => {
  for (const changes of [
    [{ before: 1500, after: 1500, at: 7 }],
    [{ before: 1500, after: 1338, at: 7 }],
    [
      { before: 1500, after: 1500, at: 7 },
      { before: 1500, after: 1500, at: 7 },
    ],
  ]) {
    const { points, grid } = layOut(changes);
    assert.ok(points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
    assert.ok(grid.length >= 2 && grid.length <= 6);
    assert.ok(points[0].x < points[1].x);
  }
});
