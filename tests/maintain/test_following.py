"""Rules that follow their agree sets: extended where sets came, searched again where some went; always the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.engine.local import LocalEngine
from lawful.evidence.agree import agree_layout
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset, outside
from lawful.families.agreeing import KEY, Wanted
from lawful.maintain import following
from lawful.maintain.following import followed, found_anew


def evidence(sets: list[int], sign: int, width: int) -> Evidence:
    rows = np.array([[s & (1 << 64) - 1, s >> 64][: agree_layout(width).words] for s in sets], np.uint64)
    counts = np.full(len(sets), sign, np.int64)
    return Evidence(agree_layout(width), rows.reshape(-1, agree_layout(width).words), counts, closed=False)


@given(st.data(), st.sampled_from([3, 6, 66]), st.sampled_from([None, 1, 2, 3]), st.booleans())
def test_followed_is_found_anew(data: st.DataObject, width: int, size: int | None, soon: bool) -> None:
    """``soon``: extending gives up at once, so everything is searched again."""
    full, seen = (1 << width) - 1, set[int]()
    wanted, sets = Wanted(width, (0, width - 1, KEY), 0, size), Multiset(agree_layout(width))
    some = st.integers(0, full) if width < 10 else st.sets(st.integers(0, 65), max_size=4).map(
        lambda out: full & ~sum(1 << c for c in out)
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch, LocalEngine(1) as engine:
        if soon:
            patch.setattr(following, "_CHECKS", -1 << 40)
        rules = found_anew(sets, wanted, engine, exact=True)
        for _ in range(data.draw(st.integers(1, 5))):
            come = data.draw(st.lists(some, max_size=4, unique=True))
            go = data.draw(st.lists(st.sampled_from(sorted(seen)), max_size=2, unique=True)) if seen else []
            come = [s for s in come if s not in seen and s not in go]
            born, died = evidence(come, 1, width), evidence(go, -1, width)
            turned = sets.add(Evidence.of(born.layout, *_both(born, died), closed=False))
            seen = (seen | set(come)) - set(go)
            rules = followed(rules, sets, turned, wanted, engine, exact=True)
            anew = found_anew(sets, wanted, engine, exact=True)
            for right in wanted.rights:
                assert np.array_equal(rules.lefts[right], anew.lefts[right])
                assert np.array_equal(rules.tops[right], anew.tops[right])


@given(st.lists(st.integers(0, 63), max_size=8, unique=True), st.lists(st.integers(0, 63), max_size=8, unique=True))
def test_what_lies_outside(tops: list[int], some: list[int]) -> None:
    tops = [t for t in tops if not any(t != u and t & ~u == 0 for u in tops)]
    as_words = [np.array(sets, np.uint64).reshape(-1, 1) for sets in (tops, some)]
    found = outside(*as_words)[:, 0].tolist()
    free = [s for s in some if not any(s & ~t == 0 for t in tops)]
    assert set(found) <= set(free) and {s for s in free if not any(s != u and s & ~u == 0 for u in free)} <= set(found)


def _both(*parts: Evidence) -> Any:
    return (np.concatenate([p.signatures for p in parts]), np.concatenate([p.counts for p in parts]))  # type: ignore[arg-type]


def test_inserts_search_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets that come extend what is there; only when one goes is there a search."""
    width, searches = 5, 0
    wanted, sets = Wanted.of(("fd", "key"), width, 10, 0.0), Multiset(agree_layout(width))
    real = following.left_sides

    def counted(*args: Any) -> Any:
        nonlocal searches
        searches += 1
        return real(*args)

    with LocalEngine(1) as engine:
        rules = found_anew(sets, wanted, engine, exact=True)
        monkeypatch.setattr(following, "left_sides", counted)
        for new in (0b00011, 0b01100, 0b00111, 0b11100):
            rules = followed(rules, sets, sets.add(evidence([new], 1, width)), wanted, engine, exact=True)
        assert searches == 0
        rules = followed(rules, sets, sets.add(evidence([0b00111], -1, width)), wanted, engine, exact=True)
        assert searches > 0
        anew = found_anew(sets, wanted, engine, exact=True)
    assert all(np.array_equal(rules.lefts[right], anew.lefts[right]) for right in wanted.rights)
