"""Reads a rule from its text.

The grammar; words are read in any case, and white space is free everywhere::

    rule      = fd | key | oc | lod | pod | dc
    fd        = ( name { "," name } | "[" [ name { "," name } ] "]" ) "->" name
    key       = "key" "(" [ name { "," name } ] ")"
    oc        = "{" [ name { "," name } ] "}" ":" name "~" name [ "asc" | "desc" ]    desc: opposite directions
    lod       = list ( "->" | "<->" | "~" ) list
    list      = "[" [ name [ "asc" | "desc" ] { "," name [ "asc" | "desc" ] } ] "]"
    pod       = ( "[" "]" | mark { "," mark } ) "=>" mark     each column once
    mark      = name ( "<" | "<=" | "=" | ">=" | ">" )        the last one: "<", "<=" or "="
    dc        = "not" "(" predicate { "and" predicate } ")"
    predicate = operand ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) operand
    operand   = ( "t" | "u" ) "." name
    name      = a letter or "_", then letters, digits and "_"; or anything in backticks, a backtick doubled

Brackets on both sides make a ``lod``, brackets on the left only an ``fd``. A keyword is read as a name wherever only
a name can stand; in print it is quoted. The parser looks at most two tokens ahead and never goes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from lawful.errors import RuleSyntaxError
from lawful.rules.model import OPERATORS, Dc, Fd, Form, Key, Lod, Oc, Operand, Operator, Pod, Predicate, Row, Rule
from lawful.rules.reader import FORMS, Reader

LEFT_MARKS: tuple[Operator, ...] = ("<", "<=", "=", ">=", ">")
RIGHT_MARKS: tuple[Operator, ...] = ("<", "<=", "=")

_MIRRORED = "A rule that ends in > or >= is the mirror image of one that ends in < or <=: swap every < and >."


def parse(text: str) -> Rule:
    """The rule that ``text`` states, as written there (not brought into canonical form); linear in the text."""
    reader = Reader(text)
    if reader.ended:
        raise RuleSyntaxError("There is no rule in this text: it is empty.", hint=f"Rules look like {FORMS['fd']}.")
    rule = _rule(reader)
    if not reader.ended:
        reader.missing("the end of the rule")
    return rule


def _rule(reader: Reader) -> Rule:
    for kind, opening, read in _OPENINGS:
        if reader.sees(*opening):
            reader.kinds = kind
            return read(reader)
    return _listed(reader)


def _key(reader: Reader) -> Rule:
    reader.take()
    return Key(reader.enclosed("(", reader.name, ")"))


def _oc(reader: Reader) -> Rule:
    context = reader.enclosed("{", reader.name, "}")
    reader.expect(":")
    left = reader.name()
    reader.expect("~")
    right = reader.name()
    return Oc(context, left, right, "opposite" if reader.direction() == "desc" else "same")


def _dc(reader: Reader) -> Rule:
    reader.take()
    reader.expect("(")
    predicates = [_predicate(reader)]
    while reader.accept("and"):
        predicates.append(_predicate(reader))
    reader.expect(")", also="'and'")
    return Dc(tuple(predicates))


def _predicate(reader: Reader) -> Predicate:
    left = _operand(reader)
    operator = reader.operator(OPERATORS)
    return Predicate(left, operator, _operand(reader))


def _operand(reader: Reader) -> Operand:
    row = reader.expect("t", "u")
    reader.expect(".")
    return Operand(cast(Row, row), reader.name())


def _bracketed(reader: Reader) -> Rule:
    left = reader.enclosed("[", reader.order, "]")
    if not left and reader.accept("=>"):
        return Pod((), _last_mark(reader, ()))
    form = reader.expect("->", "<->", "~")
    plain = all(direction == "asc" for _, direction in left)
    if form == "->" and plain and not reader.sees("["):
        return Fd(tuple(name for name, _ in left), reader.name())
    return Lod(left, reader.enclosed("[", reader.order, "]"), cast(Form, form))


def _listed(reader: Reader) -> Rule:
    marked = reader.tokens[min(reader.at + 1, len(reader.tokens) - 1)].value in OPERATORS
    reader.kinds = ("pod",) if marked else ("fd", "oc", "pod")
    if marked:
        return _pod(reader)
    left = reader.several(reader.name)
    reader.expect("->", also="','")
    return Fd(left, reader.name())


def _pod(reader: Reader) -> Rule:
    left: list[tuple[str, Operator]] = []
    while not left or reader.accept(","):
        left.append((_fresh(reader, left), reader.operator(LEFT_MARKS)))
    reader.expect("=>", also="','")
    return Pod(tuple(left), _last_mark(reader, left))


def _last_mark(reader: Reader, left: Sequence[tuple[str, Operator]]) -> tuple[str, Operator]:
    name = _fresh(reader, left)
    mirrored = reader.next.kind == "sign" and reader.next.value in (">", ">=")
    return name, reader.operator(RIGHT_MARKS, _MIRRORED if mirrored else None)


def _fresh(reader: Reader, marks: Sequence[tuple[str, Operator]]) -> str:
    token = reader.next
    name = reader.name()
    if any(name == known for known, _ in marks):
        reader.fail(f"column {name!r} stands twice in this rule", token=token, hint="Name each column once.")
    return name


_OPENINGS: tuple[tuple[tuple[str, ...], tuple[str, ...], Callable[[Reader], Rule]], ...] = (
    (("key",), ("key", "("), _key),
    (("dc",), ("not", "("), _dc),
    (("oc",), ("{",), _oc),
    (("fd", "lod", "pod"), ("[",), _bracketed),
)
