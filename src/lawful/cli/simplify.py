"""``lawful simplify``: the shortest clauses that sort and group a table as the given ones do."""

from __future__ import annotations

from cyclopts import Parameter

from lawful.cli.layers import Asked
from lawful.cli.rulebook import RulesFile, loaded
from lawful.cli.shared_options import OutputOptions, with_options


def simplify(rules: RulesFile, /, asked: Asked) -> int:
    """Shorten an ORDER BY or a GROUP BY by what the rules of a file imply, and name the rules that allow it."""
    found = loaded(rules).simplify(order_by=asked["order_by"], group_by=asked["group_by"])
    if asked.of(OutputOptions).json:
        asked.screen.data(found.to_dict())
    else:
        for line in found.lines():
            asked.screen.say(line)
    return 0


_ORDER_BY = Parameter(name="--order-by", help="Columns to sort by, such as 'year, month desc'.")
_GROUP_BY = Parameter(name="--group-by", help="Columns to group by, such as 'year, month'.")
command = with_options(simplify, order_by=(str, _ORDER_BY), group_by=(str, _GROUP_BY))
