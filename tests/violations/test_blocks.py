"""Long tables: portions, and large portions by pairs of blocks, say what one unit says and what the definitions say."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import lawful as lw
from lawful.engine import Engine, LocalEngine
from lawful.engine.local import InMemory
from lawful.options import CheckOptions
from lawful.progress import silent
from lawful.violations import finishing
from lawful.violations.asked import asked_rules
from lawful.violations.blocks import cut
from lawful.violations.checking import check_all
from lawful.violations.counting import HoldAgainst, Question
from lawful.violations.denial import Comparison, Denial, Denials, denials
from lawful.violations.finding import flags
from lawful.violations.finishing import FinishRules, MeasurePortions, portioned, unfinished, units
from lawful.violations.portions import keys_of
from lawful.violations.rounds import Rounds
from tests.engines.laws import assert_merge_laws, same
from tests.engines.pickled import PickledEngine
from tests.naive import Table, table, violations
from tests.profiles import examples
from tests.violations.checking import EXACT
from tests.violations.test_degrees import brute, drawn

SKEWED = [
    "k -> b", "k, c -> d", "key(k, b)", "key()", "[] -> k", "{k}: b ~ c", "{}: b ~ c desc", "{}: k ~ b",
    "[k, b] -> [c]", "[b desc] ~ [c, d]", "k=, b< => c<=", "b<, c<= => d<=",
    "not(t.k = u.k and t.b < u.b and t.c > u.c)",
    "not(t.b < u.c and t.d > u.b)", "not(t.b < u.b and t.c < u.c and t.d < u.d)", "not(t.k = u.k and t.b != u.c)",
    "not(t.b != u.b and t.c != u.c and t.k = u.k)", "not(t.b > t.c)", "not(t.b > t.c and t.k = u.k)",
    "not(t.b < u.b and t.b < u.c and t.c > u.d and t.d > u.d)",
]  # fmt: skip


def skewed(seed: int, rows: int = 60) -> Table:
    """Most rows share one value of ``k``, and many one of ``b``: a group that is larger than several portions."""
    rng = Random(seed)
    made = [
        (0 if rng.random() < 0.8 else rng.randrange(9), 5 if rng.random() < 0.3 else rng.randrange(40),
         rng.randrange(30), rng.choice((None, *range(12))))
        for _ in range(rows)
    ]  # fmt: skip
    return table("k b c d", "integer", *made)


@pytest.fixture(autouse=True)
def short_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finishing, "PORTION", 8)


def engines() -> Iterator[Engine]:
    yield LocalEngine(2)
    yield PickledEngine(3, lossy=True)


def at_once(whole: Any, options: CheckOptions) -> Any:
    with pytest.MonkeyPatch.context() as patch, LocalEngine(1) as engine:
        patch.setattr(finishing, "PORTION", 1 << 20)
        return check_all(whole, engine, asked_rules(SKEWED), options)


@pytest.mark.parametrize("seed", range(examples(2)))
def test_a_skewed_key_and_no_key(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.made import as_arrow

    monkeypatch.setattr(finishing, "PORTION", 12)
    whole = skewed(seed)
    encoded = lw.encode(as_arrow(whole))
    for engine in engines():
        with engine:
            found = check_all(encoded, engine, asked_rules(SKEWED), CheckOptions())
        for check, one in zip(found, at_once(encoded, CheckOptions()), strict=True):
            wanted = violations(check.rule, whole)
            assert (check.pairs, check.rows) == (len(wanted), one.rows), check.rule
            assert check.witnesses == one.witnesses and check.errors == one.errors, check.rule
            assert same(flags(check.bad, 60), flags(one.bad, 60))
            assert check.repair is not None and one.repair is not None
            if check.rule.kind in EXACT:
                assert same(flags(check.gone, 60), flags(one.gone, 60)), "the same rows are to be removed"
            assert check.repair.exact >= (check.rule.kind in EXACT)
            gone = flags(check.gone, 60)
            assert gone.sum() == check.repair.rows >= check.repair.least
            assert all(gone[t] or gone[u] for t, u in wanted), "what is left still breaks the rule"
    assert sum(check.pairs > 0 for check in found) > 12


@pytest.mark.parametrize("repair", [True, False, None])
def test_what_is_not_looked_for(repair: bool | None) -> None:
    from tests.made import as_arrow

    encoded = lw.encode(as_arrow(skewed(7)))
    with pytest.MonkeyPatch.context() as patch, LocalEngine(1) as engine:
        patch.setattr("lawful.violations.checking._GREEDY_ROWS", 5)
        found = check_all(encoded, engine, asked_rules(SKEWED), CheckOptions(repair=repair, max_witnesses=0))
        assert all(check.witnesses == () for check in found)
    pod = found.of("b<, c<= => d<=")
    assert pod.pairs > 0 and (pod.repair is not None) is (repair is True)
    assert all(check.repair is not None for check in found if check.rule.kind in EXACT)


@pytest.mark.parametrize("seed", range(examples(25)))
def test_any_conjunction(seed: int) -> None:
    """Conjunctions as nobody would write them, against all pairs; most are larger than a block."""
    rng, numbers = Random(seed), np.random.default_rng(seed)
    spread = [rng.choice((1, 3, 10, 90)) for _ in range(6)]
    ranks = np.stack([np.sort(numbers.integers(0, most, 50, dtype=np.int32)) for most in spread])
    ranks = numbers.permuted(ranks, axis=1) if rng.random() < 0.5 else ranks
    either = [drawn(rng, 6) for _ in range(8)]
    asked = [Question(i, "dc", Denials((denial,)), 50) for i, denial in enumerate(either)]
    with PickledEngine(seed) as engine:
        found = Rounds(engine, InMemory((), ranks), 5, 0, silent, None).findings(asked)
    for denial, each in zip(either, found, strict=True):
        wanted = brute(ranks, denial)
        assert each.pairs == wanted.sum(), denial
        if not Denials((denial,)).single and each.pairs:
            ((as_t, as_u),) = each.broken
            assert same(flags(as_t, 50), wanted.any(1)) and same(flags(as_u, 50), wanted.any(0))
            assert len(each.shown) and all(wanted[t, u] for t, u in each.shown)


@pytest.mark.parametrize("pairs", [(), (Comparison(0, 0, 1),), (Comparison(0, 0, 5),), (Comparison(0, 1, 4),)])
def test_blocks_are_the_rows(pairs: tuple[Comparison, ...]) -> None:
    """Each row is in one block, and no block is larger than asked for, whatever the ranks."""
    for spread in (1, 2, 5, 1000):
        ranks = np.random.default_rng(spread).integers(0, spread, (2, 300), dtype=np.int32)
        rows = np.flatnonzero(np.random.default_rng(0).random(300) < 0.7)
        blocks = cut(ranks, rows, Denials((Denial(pairs),)), 20)
        parts = [block.rows_of(ranks, rows) for block in blocks]
        assert sorted(np.concatenate(parts).tolist()) == rows.tolist()
        assert max(map(len, parts)) <= 20 and len(parts) <= 2 * len(rows) // 20 + 2


def test_a_large_group_is_cut_and_a_small_one_is_not() -> None:
    encoded = _encoded(skewed(1))
    for text, cut_up in (("k -> b", True), ("{}: b ~ c", True), ("key(b, c)", False), ("not(t.b > t.c)", False)):
        question = _question(text, encoded)
        cuts = _cuts(encoded, [question])
        assert any(unit.blocks for unit in units(question, cuts)) is cut_up, text
        assert max((len(blocks) for blocks in cuts.values()), default=0) >= 5 * cut_up


def test_merge_laws() -> None:
    encoded = _encoded(skewed(2, rows=40))
    shared = InMemory(encoded.columns, encoded.ranks)
    asked = [_question(text, encoded, i) for i, text in enumerate(("k -> b", "{k}: b ~ c", "b<, c<= => d<="))]
    measure, hold, finish = MeasurePortions(8), HoldAgainst("laws-blocks", 3, 100), FinishRules("laws-done", 3, 100)
    cuts = _cuts(encoded, asked)
    assert_merge_laws(measure, [measure.run(shared, question) for question in asked])
    parts = [hold.run(shared, unit) for question in asked for unit in units(question, cuts)]
    assert_merge_laws(hold, parts[:12])
    found = hold.zero()
    for part in parts:
        found = hold.merge(found, part)
    left = [one for question, each in zip(asked, found, strict=True) for one in unfinished(question, cuts, each)]
    assert len(left) >= 6
    assert_merge_laws(finish, [finish.run(shared, one) for one in left])


def _encoded(whole: Table) -> Any:
    from tests.made import as_arrow

    return lw.encode(as_arrow(whole))


def _question(text: str, encoded: Any, number: int = 0) -> Question:
    rule = lw.parse(text)
    found = Question(number, rule.kind, denials(rule, encoded, lambda a, b: (0, 0)), encoded.rows)
    assert (portioned(found).portions > 1) is bool(keys_of(found.denials))
    return portioned(found)


def _cuts(encoded: Any, asked: list[Question]) -> Any:
    measure, shared = MeasurePortions(8), InMemory(encoded.columns, encoded.ranks)
    cuts = measure.zero()
    for question in asked:
        if finishing.to_measure(question):
            cuts = measure.merge(cuts, measure.run(shared, question))
    return cuts
