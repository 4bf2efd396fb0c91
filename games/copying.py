"""Deep copies of structs. The types of the fields say which parts can change and need a copy."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import inspect

if TYPE_CHECKING:
    from collections.abc import Callable

    Copier = Callable[[Any], Any]

S = TypeVar("S", bound=msgspec.Struct)


def deep_copy(struct: S) -> S:
    """An independent copy of a struct. Frozen structs and all other unchanging parts are shared.

    Raises `TypeError` for a field with a type that may or may not be mutable.
    """
    twin: S = struct.__copy__()  # type: ignore[attr-defined]
    for name, copied in _parts(type(struct)):
        setattr(twin, name, copied(getattr(struct, name)))
    return twin


@cache
def _parts(form: type[msgspec.Struct]) -> tuple[tuple[str, Copier], ...]:
    """The mutable fields of a struct, each with its copy function."""
    fields = inspect.type_info(form).fields  # type: ignore[attr-defined]
    copiers = ((field.name, _copier(field.type, f"{form.__name__}.{field.name}")) for field in fields)
    return tuple((name, copied) for name, copied in copiers if copied)


def _copier(kind: inspect.Type, place: str) -> Copier | None:
    """The copy function for values of this type; None for values that never change."""
    match kind:
        case inspect.Metadata():
            return _copier(kind.type, place)
        case inspect.StructType():
            return _struct_copier(kind.cls)
        case inspect.ListType():
            return _list_copier(_copier(kind.item_type, place))
        case inspect.DictType():
            return _dict_copier(_copier(kind.value_type, place))
        case inspect.SetType():
            return set.copy
        case inspect.UnionType():
            return _optional_copier([_copier(member, place) for member in kind.types], place)
        case inspect.TupleType() | inspect.VarTupleType():
            items = kind.item_types if isinstance(kind, inspect.TupleType) else (kind.item_type,)
            if any(_copier(item, place) for item in items):
                raise TypeError(f"{place}: a tuple of what can change")
        case inspect.AnyType():
            raise TypeError(f"{place}: its type does not say whether it can change")
    return None


def _struct_copier(form: type[msgspec.Struct]) -> Copier | None:
    if form.__struct_config__.frozen:
        return None
    own: Copier | None = getattr(form, "copy", None)
    return own or deep_copy


def _list_copier(item: Copier | None) -> Copier:
    return (lambda items: list(map(item, items))) if item else list.copy


def _dict_copier(value: Copier | None) -> Copier:
    return (lambda items: {key: value(each) for key, each in items.items()}) if value else dict.copy


def _optional_copier(members: list[Copier | None], place: str) -> Copier | None:
    changing = [copied for copied in members if copied]
    if not changing:
        return None
    if len(changing) > 1:
        raise TypeError(f"{place}: several types that can change")
    (copied,) = changing
    return lambda value: None if value is None else copied(value)
