"""Glicko-2: how a rating changes by results.

Source: Mark E. Glickman, "Example of the Glicko-2 system" (Boston University, revised March 2022).
Ratings are on the scale of 1500; steps are numbered as there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE = 173.7178
TAU = 0.5
"""The change that volatility may make; the paper's own example."""
_PRECISION = 1e-6

START, START_DEVIATION, START_VOLATILITY = 1500.0, 350.0, 0.06
LEAST_DEVIATION = 45.0
"""Even the rating of a frequent player stays uncertain."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating, its deviation (95 % of the truth lies within two of them), and its volatility."""

    value: float = START
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY

    def after(self, periods: float) -> Rating:
        """The same after this number of rating periods without a match: less certain (step 6)."""
        phi = self.deviation / SCALE
        grown = SCALE * sqrt(phi * phi + max(0.0, periods) * self.volatility**2)
        return Rating(self.value, min(grown, START_DEVIATION), self.volatility)


def expected(rating: Rating, other: Rating) -> float:
    """The share of points that a player may expect against another."""
    return _expected((rating.value - START) / SCALE, (other.value - START) / SCALE, other.deviation / SCALE)


def rate(rating: Rating, results: Sequence[tuple[Rating, float]], *, tau: float = TAU) -> Rating:
    """A rating after results (opponent, score 1 for a win, ½, 0) within one period.

    The period's own growth of the deviation (step 6) is part of it.
    """
    if not results:
        return rating.after(1.0)
    mu, phi = (rating.value - START) / SCALE, rating.deviation / SCALE
    # Steps 3 and 4: the variance of these results, and what they say by themselves.
    information, surprise = 0.0, 0.0
    for other, score in results:
        other_mu, other_phi = (other.value - START) / SCALE, other.deviation / SCALE
        weight, chance = _weight(other_phi), _expected(mu, other_mu, other_phi)
        information += weight * weight * chance * (1.0 - chance)
        surprise += weight * (score - chance)
    variance = 1.0 / information
    volatility = _volatility(phi, rating.volatility, variance, variance * surprise, tau)
    # Steps 6 and 7.
    before = phi * phi + volatility * volatility
    after = 1.0 / sqrt(1.0 / before + 1.0 / variance)
    return Rating(
        START + SCALE * (mu + after * after * surprise),
        min(max(SCALE * after, LEAST_DEVIATION), START_DEVIATION),
        volatility,
    )


def _weight(phi: float) -> float:
    return 1.0 / sqrt(1.0 + 3.0 * phi * phi / (pi * pi))


def _expected(mu: float, other_mu: float, other_phi: float) -> float:
    return 1.0 / (1.0 + exp(-_weight(other_phi) * (mu - other_mu)))


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the root of f, by the Illinois variant of regula falsi."""
    start = log(sigma * sigma)

    def f(x: float) -> float:
        grown = exp(x)
        total = phi * phi + variance + grown
        return grown * (delta * delta - total) / (2.0 * total * total) - (x - start) / (tau * tau)

    low = start
    if delta * delta > phi * phi + variance:
        high = log(delta * delta - phi * phi - variance)
    else:
        k = 1
        while f(start - k * tau) < 0.0:
            k += 1
        high = start - k * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return exp(low / 2.0)
