"""YAML, written for people and read with care.

What is written needs no library: a text is a JSON string or a block of lines, and both are YAML. What is read goes by
the few rules of YAML 1.2 (``NO`` and ``12:30:00`` are texts, not a truth value and a number) and is plain data only.
Keys that stand twice are refused, and so are references, through which a small file could become a huge one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, ClassVar, NoReturn

from lawful.errors import RuleFileError

# Beside control characters, which JSON escapes: what YAML takes for the end of a line, or does not print.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_BARE = re.compile(r"[\w(\[{`'][^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*[\w)\]}`']")
_HINT = "Correct the file; lawful writes one with discover --update."
_PLAIN = {
    "null": (r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    "bool": (r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    "int": (r"^[-+]?[0-9]+$", list("-+0123456789")),
    "float": (r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
}


def scalar(value: Any) -> str:
    """A value on one line: as JSON has it, with a few more characters escaped and a point in every fraction."""
    if isinstance(value, float):
        whole, exponent, power = repr(value).partition("e")
        return f"{whole}{'' if '.' in whole else '.0'}{exponent}{power}"
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def text(value: str, indent: str) -> str:
    """A text: as a block of lines below its key where it has quotes or several lines, else as a JSON string."""
    lines = value.split("\n")
    blocks = ('"' in value or len(lines) > 1) and all(_BARE.fullmatch(line) for line in lines)
    if not blocks:
        return scalar(value)
    return "|-" + "".join(f"\n{indent}  {line}" for line in lines)


def read(content: bytes, name: str) -> Any:
    """The plain data of a file; ``name`` stands for it in errors, which tell the line."""
    import yaml

    loader = _loader(yaml)
    try:
        if b"*" in content:
            _refuse_references(yaml, content, name)
        return yaml.load(content, Loader=loader)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        at = f", line {mark.line + 1}" if mark is not None else ""
        raise RuleFileError(f"{name}{at}: this is not YAML: {problem.problem}.", hint=_HINT) from problem
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as problem:
        raise RuleFileError(f"{name}: this is not YAML: {problem}.", hint=_HINT) from problem


def line_of(content: bytes, path: str) -> int | None:
    """The line on which what a path such as ``$.rules[3].status`` names stands, or what is nearest to it."""
    import yaml

    node = yaml.compose(content, Loader=_loader(yaml))
    for key, index in re.findall(r"\.([^.\[\]]+)|\[(\d+)\]", path):
        below = _below(yaml, node, key, index)
        if below is None:
            break
        node = below
    return None if node is None else int(node.start_mark.line) + 1


def _below(yaml: Any, node: Any, key: str, index: str) -> Any:
    if key and isinstance(node, yaml.MappingNode):
        return next((value for name, value in node.value if name.value == key), None)
    if index and isinstance(node, yaml.SequenceNode):
        return node.value[int(index)] if int(index) < len(node.value) else None
    return None


def _loader(yaml: Any) -> Any:
    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Plain data by the rules of YAML 1.2, each key once."""

        yaml_implicit_resolvers: ClassVar[dict[str, list[Any]]] = {}

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            seen: set[str] = set()
            for key, _ in node.value:
                if key.value in seen:
                    problem = f"the key {key.value!r} stands twice"
                    raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
                seen.add(key.value)
            return super().construct_mapping(node, deep)  # type: ignore[no-any-return]

        def construct_whole(self, node: Any) -> int:
            return int(node.value)

    for kind, (pattern, first) in _PLAIN.items():
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(pattern), first)
    Loader.add_constructor("tag:yaml.org,2002:int", Loader.construct_whole)
    return Loader


def _refuse_references(yaml: Any, content: bytes, name: str) -> None:
    for event in yaml.parse(content, Loader=_loader(yaml)):
        if isinstance(event, yaml.AliasEvent):
            _refuse(name, event.start_mark.line + 1, f"*{event.anchor} refers to another place")


def _refuse(name: str, line: int, problem: str) -> NoReturn:
    raise RuleFileError(f"{name}, line {line}: {problem}.", hint="Write what stands there once more.")


def mapping(fields: dict[str, Any], indent: str) -> Iterator[str]:
    """The lines of a mapping, texts as blocks where they read better so; each ends without its line's end."""
    for key, value in fields.items():
        shown = text(value, indent) if isinstance(value, str) else scalar(value)
        yield f"{indent}{key}: {shown}"
