"""``lawful simplify``: the shortest clauses that sort and group a table as the given ones do."""

from __future__ import annotations

from cyclopts import Parameter

from lawful.cli.layers import Asked
from lawful.cli.rulebook import RulesFile, loaded
from lawful.cli.shared_options import OutputOptions, with_options
from lawful.errors import OptionError


def simplify(rules: RulesFile, /, asked: Asked) -> int:
    """Shorten an ORDER BY or a GROUP BY by what the rules of a file imply, and name the rules that allow it."""
    if asked["order_by"] is None and asked["group_by"] is None:
        raise OptionError("There is no clause to simplify.", hint="Give --order-by, --group-by or both.")
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
