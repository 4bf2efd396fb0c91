"""The files that pages load, kept in memory: style, icon, and one script for each page.

A script is written as modules, and sent as one file: a page asks once instead of sixty times, and nothing has to be
built beforehand.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

STATIC = Path(__file__).parent / "static"
SCRIPTS = STATIC / "js"

_IMPORT = re.compile(r'^import \{(?P<names>[^}]*)\} from "\./(?P<module>\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?P<what>(?:async function|function|class|const) (?P<name>\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class BundlingError(Exception):
    """A module that cannot be put into one file with others."""


@cache
def content(name: str) -> bytes:
    """What a file of the static folder is sent as. Raises `FileNotFoundError`."""
    path = STATIC / name
    if not path.resolve().is_relative_to(STATIC) or not path.is_file():
        raise FileNotFoundError(name)
    return bundle(path).encode() if path.parent == SCRIPTS else path.read_bytes()


@cache
def digest() -> str:
    """What the addresses of all files share: it changes with any of them, so that each can be kept for ever."""
    files = [*sorted(path for path in STATIC.rglob("*") if path.is_file()), Path(__file__)]
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def bundle(entry: Path) -> str:
    """A script with all modules that it imports, each before those that import it, in a scope of its own.

    Raises `BundlingError` for modules that import each other, and for imports and exports in another form than
    `import { a, b as c } from "./module.js";` and `export function`, `class` or `const`.
    """
    parts: dict[str, str] = {}
    _collect(entry.stem, (), parts)
    return "\n".join(parts.values())


def _collect(name: str, importing: tuple[str, ...], parts: dict[str, str]) -> None:
    if name in importing:
        raise BundlingError(f"modules import each other: {' -> '.join((*importing, name))}")
    if name in parts:
        return
    source = (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
    for found in _IMPORT.finditer(source):
        _collect(found["module"], (*importing, name), parts)
    parts[name] = _scoped(name, source, whole=not importing)


def _scoped(name: str, source: str, *, whole: bool) -> str:
    """A module as a function that runs at once and returns what it exports; the script itself exports it."""
    taken = _IMPORT.sub(_taken, _COMMENT.sub("", source))
    exported = [found["name"] for found in _EXPORT.finditer(taken)]
    body = _EXPORT.sub(r"\g<what>", taken)
    if wrong := _OTHER.search(body):
        raise BundlingError(f"{name}.js: {wrong[0]}")
    if whole:
        return taken
    return f"const ${name} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _taken(found: re.Match[str]) -> str:
    names = ", ".join(name.strip().replace(" as ", ": ") for name in found["names"].split(",") if name.strip())
    return f"const {{ {names} }} = ${found['module']};"
