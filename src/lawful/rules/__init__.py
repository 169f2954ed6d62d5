"""The vocabulary: the kinds of rule, their text and file forms, and the answer that holds them."""

from lawful.rules.diff import RuleDiff
from lawful.rules.images import mirror
from lawful.rules.model import Dc, Fd, Figures, Key, Lod, Oc, Operand, Pod, Predicate, Rule
from lawful.rules.ruleset import Column, RuleSet
from lawful.rules.strength import implies, subsumes
from lawful.rules.text import format_rule, parse

__all__ = [
    "Column",
    "Dc",
    "Fd",
    "Figures",
    "Key",
    "Lod",
    "Oc",
    "Operand",
    "Pod",
    "Predicate",
    "Rule",
    "RuleDiff",
    "RuleSet",
    "format_rule",
    "implies",
    "mirror",
    "parse",
    "subsumes",
]
