"""Token buckets."""

from __future__ import annotations

import pytest

from sheshbesh.server.http.failure import Failure
from sheshbesh.server.http.limits import Bucket, Limiter


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(rate=2.0, burst=3.0)
    assert [bucket.take(0.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert bucket.take(0.5) == 0.0
    assert [bucket.take(100.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_one_key_does_not_cost_another_and_memory_is_bounded() -> None:
    limiter = Limiter(1.0, 1.0, what="things", keys=10)
    assert limiter.take("a", 0.0) == 0.0 and limiter.take("b", 0.0) == 0.0
    assert limiter.take("a", 0.0) > 0.0
    for n in range(100):
        limiter.take(str(n), 0.0)
    assert len(limiter) == 10


def test_too_much_is_a_sentence_with_the_time_to_wait() -> None:
    limiter = Limiter(0.1, 1.0, what="seeks")
    limiter.check("a")
    with pytest.raises(Failure, match="too many seeks: try again in 10 s") as caught:
        limiter.check("a")
    assert caught.value.status_code == 429 and caught.value.headers == {"Retry-After": "10"}
