"""Rules of every kind over columns with names that invite mistakes."""

from __future__ import annotations

from hypothesis import strategies as st

from lawful.rules import Dc, Fd, Figures, Key, Lod, Oc, Operand, Pod, Predicate, Rule
from lawful.rules.model import OPERATORS

ODD_NAMES = [
    *["a b", " ", "  lead", "trail ", "`", "``", "a`b", '"', "'", "it's", 'say "hi"', "t.a", "u.b", ".", "a.b.c"],
    *["2nd", "0", "1.5", "-", "->", "=>", "<", "a<b", "a,b", "[a]", "{}", "(x)", "not(", "key()", "~", "!=", "\\"],
    *["desc", "asc", "not", "and", "key", "DESC", "Key", "t", "u", "null", "true", "kind", "id", "lhs"],
    *["a\nb", "\t", "a\r\nb", "\x00", "\x1b[31m", "\u2028", "\u200b", "\u00a0", "\ufeff"],
    *[
        "é",
        "e\u0301",
        "\u0301",
        "İ",
        "ß",
        "\u212aey",
        "名前",
        "עברית",
        "\u202eabc",
        "العمر",
        "👩\u200d👩\u200d👧",
        "Ⅷ",
        "x²",
    ],
    *["<script>alert(1)</script>", "&amp;", "_", "__", "a_1", "Jürgen", "%s", "{0}", ""],
]

names = st.sampled_from(ODD_NAMES) | st.text(st.characters(exclude_categories=["Cs"]), max_size=6)

figures = st.builds(
    Figures,
    error=st.none() | st.floats(0, 1),
    measure=st.sampled_from([None, "removal", "pairs"]),
    coverage=st.none() | st.floats(0, 1),
    interest=st.none() | st.floats(0, 1),
)


def tables(column_names: st.SearchStrategy[str] = names, size: int = 5) -> st.SearchStrategy[list[str]]:
    """The names of a table's columns, two at least."""
    return st.lists(column_names, min_size=2, max_size=size, unique=True)


def rules(columns: list[str], *kinds: str) -> st.SearchStrategy[Rule]:
    """Rules over these columns, of these kinds (all where none is named), not in canonical form."""
    made = {"fd": _fds, "key": _keys, "oc": _ocs, "lod": _lods, "pod": _pods, "dc": _dcs}
    return st.one_of([made[kind](columns, figures) for kind in kinds or made])


def _some(columns: list[str], least: int = 0) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(columns), unique=True, min_size=least, max_size=4).map(tuple)


def _fds(columns: list[str], measured: st.SearchStrategy[Figures]) -> st.SearchStrategy[Rule]:
    return st.builds(Fd, _some(columns), st.sampled_from(columns), measured)


def _keys(columns: list[str], measured: st.SearchStrategy[Figures]) -> st.SearchStrategy[Rule]:
    return st.builds(Key, _some(columns), measured)


def _ocs(columns: list[str], measured: st.SearchStrategy[Figures]) -> st.SearchStrategy[Rule]:
    column = st.sampled_from(columns)
    return st.builds(Oc, _some(columns), column, column, st.sampled_from(["same", "opposite"]), measured)


def _lods(columns: list[str], measured: st.SearchStrategy[Figures]) -> st.SearchStrategy[Rule]:
    order = st.tuples(st.sampled_from(columns), st.sampled_from(["asc", "desc"]))
    side = st.lists(order, max_size=3).map(tuple)
    return st.builds(Lod, side, side, st.sampled_from(["->", "<->", "~"]), measured)


def _pods(columns: list[str], measured: st.SearchStrategy[Figures]) -> st.SearchStrategy[Rule]:
    lhs_op, rhs_op = st.sampled_from(["<", "<=", "=", ">=", ">"]), st.sampled_from(["<", "<=", "="])

    def build(chosen: tuple[str, ...]) -> st.SearchStrategy[Rule]:
        lhs = st.tuples(*(st.tuples(st.just(name), lhs_op) for name in chosen[1:]))
        return st.builds(Pod, lhs, st.tuples(st.just(chosen[0]), rhs_op), measured)

    return _some(columns, 1).flatmap(build)


def _dcs(columns: list[str], measured: st.SearchStrategy[Figures]) -> st.SearchStrategy[Rule]:
    operand = st.builds(Operand, st.sampled_from(["t", "u"]), st.sampled_from(columns))
    predicate = st.builds(Predicate, operand, st.sampled_from(OPERATORS), operand)
    return st.builds(Dc, st.lists(predicate, min_size=1, max_size=4).map(tuple), measured)
