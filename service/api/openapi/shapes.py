"""The schemas of openapi.yaml in the best form for client generators: plain, named, and each enumeration once."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA = "#/components/schemas/{name}"
OBJECT = "JsonObject"
"""The name of the schema of an object with any fields."""
NULL = {"type": "null"}
SHOWN = 1
"""How many objects of a list an example shows, and half of how many plain values."""

Schema = dict[str, Any]


def refer(name: str) -> Schema:
    """A reference to the schema of that name."""
    return {"$ref": SCHEMA.format(name=name)}


def pascal(name: str) -> str:
    """A name in the form of schema names: `dry_run` becomes `DryRun`."""
    return "".join(word[:1].upper() + word[1:] for word in re.findall("[0-9A-Za-z]+", name))


def references(part: Any) -> set[str]:
    """The names of the schemas to which some part of the document refers."""
    if isinstance(part, list):
        return set().union(*map(references, part))
    if not isinstance(part, dict):
        return set()
    own = {part["$ref"].rpartition("/")[2]} if isinstance(part.get("$ref"), str) else set()
    return own.union(*map(references, part.values()))


def change_schemas(schema: Any, change: Callable[[Schema], Schema]) -> Any:
    """The schema, with each schema in it changed first."""
    if isinstance(schema, list):
        return [change_schemas(part, change) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: part if name == "properties" else change_schemas(part, change) for name, part in schema.items()}
    if fields := schema.get("properties"):
        found["properties"] = {name: change_schemas(part, change) for name, part in fields.items()}
    return change(found)


def without_titles(schema: Schema) -> Schema:
    """The schema without titles: its name is enough."""
    found: Schema = change_schemas(schema, _plain)
    return {name: part for name, part in found.items() if name != "title"}


def _plain(schema: Schema) -> Schema:
    found = dict(schema)
    if "description" in found:
        found["description"] = paragraphs(found["description"])
    if "properties" in found:  # a field that can only be null need not be sent
        found["properties"] = {name: part for name, part in found["properties"].items() if not _only_null(part)}
    if found.get("items") is False:  # a tuple: most generators do not know them, and its length is limited anyway
        kinds = found.pop("prefixItems")
        found["items"] = kinds[0] if all(kind == kinds[0] for kind in kinds) else {"anyOf": kinds}
    return _nullable(_enumerated(_free(found)))


def _only_null(schema: Schema) -> bool:
    return {name: part for name, part in schema.items() if name != "default"} == NULL


def _free(schema: Schema) -> Schema:
    """The schema with a reference in place of an object with any fields."""
    kind = schema.get("type")
    if kind not in ("object", ["object", "null"]) or schema.keys() & {"properties", "$ref"}:
        return schema
    if schema.get("additionalProperties", {}) not in ({}, True):
        return schema
    return _aside(schema) | (refer(OBJECT) if kind == "object" else {"anyOf": [refer(OBJECT), NULL]})


def _enumerated(schema: Schema) -> Schema:
    """The schema with a constant in place of an enumeration of one value, and null beside an enumeration."""
    values = schema.get("enum")
    if not values:
        return schema
    rest = {name: part for name, part in schema.items() if name != "enum"}
    if None in values:
        outside = {name: rest.pop(name) for name in ("description", "default") if name in rest}
        one = {"type": "string"} if isinstance(rest.get("type"), list) else {}
        return {"anyOf": [rest | one | {"enum": [value for value in values if value is not None]}, NULL]} | outside
    return rest | {"const": values[0]} if len(values) == 1 else schema


def _nullable(schema: Schema) -> Schema:
    """The schema with null among its types where that says the same in fewer words."""
    parts = schema.get("anyOf", [])
    if len(parts) != 2 or parts[1] != NULL or parts[0].keys() & {"enum", "const"}:
        return schema
    kind = parts[0].get("type")
    if not isinstance(kind, str) or kind == "object":
        return schema
    one: Schema = parts[0]
    return one | {"type": [kind, "null"]} | {name: part for name, part in schema.items() if name != "anyOf"}


def paragraphs(text: str) -> str:
    """A text with each paragraph, and each item of a list, on a line of its own."""
    return re.sub(r"(?<!\n)\n(?!\n|[*-] )", " ", cleandoc(text).strip())


MANY = 4
"""The most objects of a kind that an object shows whole; of more it shows half as many."""


PAIR = 2
"""The items of a list that is shown whole: often there are always so many, as of two games that are compared."""


def shorten_example(example: Any, most: int = SHOWN) -> Any:
    """The example of an answer, shortened to the first items of each list, and fewer within an item.

    An object of many objects that are alike is such a list, too: the places of a board by their names.
    """
    if isinstance(example, dict):
        kinds = {tuple(part) if isinstance(part, dict) else None for part in example.values()}
        shown = MANY // 2 if len(example) > MANY and len(kinds) == 1 and None not in kinds else None
        return {name: shorten_example(part, most) for name, part in list(example.items())[:shown]}
    if isinstance(example, list):
        shown = most if any(isinstance(part, dict | list) for part in example) else 2 * most
        shown = max(shown, len(example)) if len(example) == PAIR else shown
        return [shorten_example(part, most=1) for part in example[:shown]]
    return example


def without_default(schema: Schema) -> Schema:
    """The schema of a request, without defaults: generators would demand fields with a default."""
    default = schema.get("default")
    found = {name: part for name, part in schema.items() if name != "default"}
    if default:
        found["description"] = f"{found.get('description', '')} (if left out: `{default}`)".strip()
    return found


def without_null(schema: Schema) -> Schema:
    """The schema of a parameter, without null: a null or empty parameter is left out of an address."""
    found = {name: part for name, part in schema.items() if name != "default" or part not in (None, "")}
    if NULL in found.get("anyOf", []):
        (one,) = (part for part in found.pop("anyOf") if part != NULL)
        found = one | found
    if isinstance(kinds := found.get("type"), list):
        (found["type"],) = (kind for kind in kinds if kind != "null")
    return found


class Enumerations:
    """The enumerations of some schemas, each with a name: what holds one refers to it."""

    def __init__(self, names: dict[str, str], known: dict[frozenset[Any], str] | None = None, prefix: str = "") -> None:
        """`known` are names by the values, `names` better ones than those that follow from the first place."""
        self.schemas: dict[str, Schema] = {}
        self._names = names
        self._known = {values: prefix + name for values, name in (known or {}).items()}
        self._prefix = prefix

    def share(self, schema: Any, owner: str, field: str = "") -> Any:
        """The schema with a reference in place of each enumeration."""
        if isinstance(schema, list):
            return [self.share(part, owner, field) for part in schema]
        if not isinstance(schema, dict):
            return schema
        found = {name: self._share(name, part, owner, field) for name, part in schema.items()}
        return self._refer(found, owner + pascal(field)) if "enum" in found else found

    def _share(self, name: str, part: Any, owner: str, field: str) -> Any:
        if name == "properties":
            return {each: self.share(schema, owner, each) for each, schema in part.items()}
        return self.share(part, owner, field.removesuffix("s") if name == "items" else field)

    def _refer(self, schema: Schema, default: str) -> Schema:
        values = schema["enum"]
        name = self._known.setdefault(frozenset(values), self._names.get(default, default))
        if name not in self.schemas:
            kind = {"type": "string" if isinstance(values[0], str) else "integer"}
            variables = _variables(values, name.removeprefix(self._prefix))
            self.schemas[name] = kind | {"enum": values}
            if variables != [_word(str(value)) for value in values]:  # generators would make other names of them
                self.schemas[name]["x-enum-varnames"] = variables
        return _aside(schema) | refer(name)


def _aside(schema: Schema) -> Schema:
    """The keywords that can stand beside a reference."""
    return {name: schema[name] for name in ("description", "default") if name in schema}


def _word(value: str) -> str:
    """The name for a value: `game.opened` becomes `GAME_OPENED`."""
    return re.sub(r"[^0-9A-Za-z]+", "_", value).strip("_").upper()


def _variables(values: list[Any], field: str) -> list[str]:
    """Names for the values of an enumeration: their own words, or, of numbers, those of the field and the number."""
    found = list[str]()
    for value in values:
        word = _word(str(value).rpartition("/")[2])
        name = word if word[:1].isalpha() else re.sub(r"[^0-9A-Z]+", "_", f"{field}_{word or 'NONE'}".upper())
        found.append(name if name not in found else f"{name}_{len(found)}")
    return found
