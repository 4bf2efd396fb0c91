"""The layout of openapi.yaml: short parts on one line, texts with their own lines."""

from __future__ import annotations

from typing import Any

import msgspec
import yaml

WIDTH = 250
LONGEST_LINE = 240
"""The longest JSON, in bytes, of what stands on one line."""

_MAP, _LIST, _TEXT = "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:str"


class _LineOfFields(dict[str, Any]):
    """A mapping on one line."""


class _LineOfItems(list[Any]):
    """A list on one line, or on several if it is a long one."""


class _Dumper(yaml.CSafeDumper):
    def ignore_aliases(self, _: Any) -> bool:
        """Write everything out, without the anchors of YAML."""
        return True


_Dumper.add_representer(_LineOfFields, lambda dumper, part: dumper.represent_mapping(_MAP, part, flow_style=True))
_Dumper.add_representer(_LineOfItems, lambda dumper, part: dumper.represent_sequence(_LIST, part, flow_style=True))
_Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar(_TEXT, text, "|" if "\n" in text else None))


def to_yaml(document: dict[str, Any]) -> str:
    """The document as YAML."""
    text: str = yaml.dump(
        _laid_out(document),
        Dumper=_Dumper,
        width=WIDTH,
        default_flow_style=False,
        sort_keys=False,
        allow_unicode=True,
    )
    return text


def _laid_out(part: Any, *, example: bool = False) -> Any:
    """The part, with the pieces marked that go on one line: short ones, lists of plain values, fields of examples."""
    if isinstance(part, list | tuple):
        plain = not any(isinstance(each, list | tuple | dict) for each in part)
        return _LineOfItems(part) if plain or example or _short(part) else [_laid_out(each) for each in part]
    if not isinstance(part, dict):
        return part
    if example or _short(part):
        return _LineOfFields(part)
    return {name: _shown(each) if name in {"example", "examples"} else _laid_out(each) for name, each in part.items()}


def _shown(part: Any) -> Any:
    """An example, or a list of them, with each of its fields on a line."""
    if isinstance(part, list):
        return [_shown(each) for each in part]
    return {name: _laid_out(each, example=True) for name, each in part.items()} if isinstance(part, dict) else part


def _short(part: Any) -> bool:
    encoded = msgspec.json.encode(part)
    return len(encoded) <= LONGEST_LINE and b"\\n" not in encoded
