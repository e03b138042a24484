"""Token buckets."""

from __future__ import annotations

import pytest

from sheshbesh.server.limits import Bucket, Limiter
from sheshbesh.server.refusals import Failure
from tests.server.clock import ManualClock


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    clock = ManualClock()
    bucket = Bucket(2.0, 3.0, clock)
    assert [bucket.take() for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    clock.advance(0.5)
    assert bucket.take() == 0.0
    clock.advance(100)
    assert [bucket.take() for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_one_key_does_not_cost_another_and_memory_is_bounded() -> None:
    limiter = Limiter(1.0, 1.0, what="things", keys=10, clock=ManualClock())
    assert limiter.take("a") == 0.0 and limiter.take("b") == 0.0
    assert limiter.take("a") > 0.0
    for n in range(100):
        limiter.take(str(n))
    assert len(limiter) == 10


def test_too_much_is_a_sentence_with_the_time_to_wait() -> None:
    limiter = Limiter(0.1, 1.0, what="seeks", clock=ManualClock())
    limiter.check("a")
    with pytest.raises(Failure, match="too many seeks: try again in 10 s") as caught:
        limiter.check("a")
    assert caught.value.status_code == 429 and caught.value.headers == {"Retry-After": "10"}
