"""The files that pages load, kept in memory: style, icon, words, and one script for each page.

A script is written as modules and sent as one file. So a page makes one request instead of sixty, and nobody has to
build anything first.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from itertools import chain
from os.path import normpath
from pathlib import Path
from string import hexdigits
from typing import TYPE_CHECKING

from service import __version__, languages
from service.languages import scripts

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Set

STATIC = Path(__file__).parent / "static"
SCRIPTS = STATIC / "js"
DIGITS = 12
"""The digits of a digest in the address of a release."""

LATER = {
    "game": (
        *("analysis/analysis", "audit/comparing", "board/state", "people/sharing", "record/revised", "record/tools"),
        "story/story",
    ),
    "record/tools": ("record/actions", "sheet/keypad"),
    "record/actions": ("record/ruling",),
}
"""Scripts that are loaded on demand, by the script that loads them. They reuse its modules."""

_LATER = re.compile(r"later/(?P<locale>[\w-]+)/(?P<script>[\w/-]+)\.js")
_WORDS = re.compile(r"words/(?P<locale>[\w-]+)/(?P<script>\w+)\.js")
_IMPORT = re.compile(r'^import \{(?P<names>[^}]*)\} from "(?P<module>\.{1,2}/[\w/-]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?P<what>(?:async function|function|class|const) (?P<name>\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_ASIDE = re.compile(r"(?<=[;{},(\[)]) // [^\n\"`]*$", re.MULTILINE)
_TYPE = re.compile(r"/\*\* @type \{.*?\} \*/ ?")
_INDENT = re.compile(r"^ +", re.MULTILINE)
_BREAK = re.compile(r"(?<=[(\[{,])\n+|,?\n+(?=[)\]}])|\n(?=\n)")
"""Needless line ends, and a comma before them. No multi-line text in a script depends on them."""
_TEXT = (
    r'"(?:[^"\\\n]|\\.)*"',
    r"`(?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*`",
    r"(?:(?<=[(\[,!])/(?![*/])|(?:(?<=\n)|(?<=[(\[,=:?&|>] ))/(?![*/ ]))(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/",
)
"""Strings, templates with at most one nested template, and regular expressions: their spaces stay."""
_GAP = re.compile(rf"(?P<text>{'|'.join(_TEXT)})|(?<![-+/]) (?=[^\w$])|(?<=[^\w$]) (?![-+/])")
"""Texts, and needless spaces beside a sign. A space between two words, or two of `+`, `-` and `/`, stays."""
_SPACE = re.compile(r"\n\s+")
_AROUND = re.compile(r'(?P<text>"[^"]*")|\s*;?\s*(?P<end>})\s*|\s*(?P<mark>[{;,])\s*')
_STYLE_IMPORT = re.compile(r'^@import "(?P<name>[\w/]+\.css)"(?: (?P<media>[^;]+))?;$', re.MULTILINE)
_STYLE_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class BundlingError(Exception):
    """A module cannot be bundled."""


@cache
def content(name: str) -> bytes:
    """The content of a static file, as sent. Raises `FileNotFoundError`."""
    if found := _WORDS.fullmatch(name):
        return _words(found["locale"], found["script"])
    if found := _LATER.fullmatch(name):
        return _script_on_demand(found["locale"], found["script"])
    if name not in _files():  # by its one name alone: what is made of it is kept by that
        raise FileNotFoundError(name)
    path = STATIC / name
    if path.suffix == ".css":
        return _style(path).encode()
    return bundle(path).encode() if path.suffix == ".js" else path.read_bytes()


@cache
def _files() -> frozenset[str]:
    """All files of the static folder."""
    return frozenset(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())


def names() -> list[str]:
    """The names of all files that pages load: words, scripts on demand, and files that are not parts of others."""
    files = sorted(name for name in _files() if "/" not in name or (name.startswith("js/") and name.count("/") == 1))
    scripts = [Path(name).stem for name in files if name.startswith("js/")]
    translated = [tag for tag in languages.locales() if tag != languages.ENGLISH]
    words = [f"words/{tag}/{script}.js" for tag in translated for script in scripts]
    parts = [part for parts in LATER.values() for part in parts]
    return files + words + [f"later/{tag}/{part}.js" for tag in languages.locales() for part in parts]


@cache
def digest() -> str:
    """The digest in the addresses of all files. It changes with any file, so browsers can cache files forever.

    It identifies the release of the pages, and also changes with the release of the service.
    """
    words = [languages.path_of(tag) for tag in languages.locales() if tag != languages.ENGLISH]
    files = [*sorted(path for path in STATIC.rglob("*") if path.is_file()), *words, Path(__file__)]
    content = b"".join(path.read_bytes() for path in files)
    return sha256(content + __version__.encode()).hexdigest()[:DIGITS]


def is_digest(text: str) -> bool:
    """Whether a text looks like the digest of a release."""
    return len(text) == DIGITS and set(text) <= set(hexdigits.lower())


def _words(tag: str, script: str) -> bytes:
    """The words of a language for a script and the modules bundled with it. Raises `FileNotFoundError`."""
    if tag not in languages.locales() or tag == languages.ENGLISH:
        raise FileNotFoundError(tag)
    return scripts.words(tag, of=_names(_modules_of(SCRIPTS / f"{script}.js"))).encode()


def _script_on_demand(tag: str, script: str) -> bytes:
    """A script on demand, with its words and the modules not loaded yet. Raises `FileNotFoundError`."""
    if _loader(script) is None or tag not in languages.locales():
        raise FileNotFoundError(script)
    known = _preloaded(script)
    *modules, last = (parts := _modules_of(SCRIPTS / f"{script}.js", known)).values()
    words = "" if tag == languages.ENGLISH else scripts.more_words(tag, of=_names(parts.keys() - known))
    given = _shared_modules(script, parts.keys() - known)
    gift = [f"Object.assign(kifuParts, {{ {given} }});"] if given else []
    return (words + _join_modules([*modules, *gift, last])).encode()


def _loader(script: str) -> str | None:
    """The script that loads this one on demand."""
    return next((name for name, later in LATER.items() if script in later), None)


def _preloaded(script: str) -> Set[Path]:
    """The modules already loaded before a script on demand: those of its loaders."""
    loader = _loader(script)
    return _preloaded(loader) | _modules_of(SCRIPTS / f"{loader}.js", _preloaded(loader)).keys() if loader else set()


def _shared_modules(script: str, own: Container[Path]) -> str:
    """The modules of a script that scripts on demand reuse."""
    after = [each for each in chain(*LATER.values()) if script in _loaders(each)]
    taken = {path for each in after for path in _modules_of(SCRIPTS / f"{each}.js", _preloaded(each)) if path in own}
    return ", ".join(sorted(map(_variable, taken)))


def _loaders(script: str) -> list[str]:
    """The script that loads this one on demand, the loader of that one, and so on."""
    loader = _loader(script)
    return [loader, *_loaders(loader)] if loader else []


def inlined(script: str, tag: str) -> str:
    """A script that exports `start`, with its modules and words, as an inline script that runs at once."""
    path = SCRIPTS / f"{script}.js"
    words = "" if tag == languages.ENGLISH else scripts.words(tag, of=_names(_modules_of(path)))
    return f"{words}\n{bundle(path)}\nstart();\n"


def _names(paths: Iterable[Path]) -> set[str]:
    """The paths of scripts as in the message catalogues."""
    return {f"{scripts.SCRIPTS}{path.relative_to(SCRIPTS.resolve()).as_posix()}" for path in paths}


def _style(path: Path) -> str:
    """A style sheet with its imports, without comments and needless spaces, which take 1.4 kB."""
    whole = _STYLE_IMPORT.sub(_imported_style, path.read_text(encoding="utf-8"))
    return _AROUND.sub(lambda found: found[found.lastgroup or 0], _SPACE.sub("\n", _STYLE_COMMENT.sub("", whole)))


def _imported_style(found: re.Match[str]) -> str:
    style = _style(STATIC / found["name"])
    return f"@media {found['media']} {{\n{style}}}" if found["media"] else style


def worker(tag: str) -> bytes:
    """The service worker, with its words in a language."""
    words = b"" if tag == languages.ENGLISH else _words(tag, "worker")
    return words + content("js/worker.js")


def bundle(entry: Path) -> str:
    """Bundle a script with its modules: each before those that import it, in its own scope, without indents.

    Raises `BundlingError` for import cycles, and for imports and exports that are not written as
    `import { a, b as c } from "../room/module.js";` and `export function`, `class` or `const`.
    """
    parts = _modules_of(entry)
    given = _shared_modules(entry.stem, parts) if entry.parent == SCRIPTS else ""
    *modules, script = parts.values()
    gift = [f"globalThis.kifuParts = {{ {given} }};"] if given else []
    return _join_modules([*modules, *gift, script])


def _join_modules(parts: Iterable[str]) -> str:
    """Join modules to one file, without needless indents, line ends and spaces: a game's page becomes 5 kB smaller."""
    lines = _BREAK.sub("", _INDENT.sub("", "\n".join(parts)))
    return _GAP.sub(lambda found: found["text"] or "", lines)


def _modules_of(entry: Path, known: Container[Path] = ()) -> dict[Path, str]:
    """The modules of a script, in dependency order. `known` modules come from the script that has them."""
    parts: dict[Path, str] = {}
    _collect(entry.resolve(), (), parts, known)
    return parts


def _collect(path: Path, importing: tuple[Path, ...], parts: dict[Path, str], known: Container[Path]) -> None:
    if path in importing:
        names = " -> ".join(each.stem for each in (*importing, path))
        raise BundlingError(f"modules import each other: {names}")
    if path in parts:
        return
    if path in known:
        parts[path] = f"const {_variable(path)} = kifuParts.{_variable(path)};"
        return
    for each in _imports(path):
        _collect(each, (*importing, path), parts, known)
    parts[path] = _wrap_module(path, whole=not importing)


@cache
def _imports(path: Path) -> list[Path]:
    """The modules that a module imports, in their order."""
    return [_imported(path, found) for found in _IMPORT.finditer(path.read_text(encoding="utf-8"))]


def _imported(path: Path, found: re.Match[str]) -> Path:
    return Path(normpath(path.parent / f"{found['module']}.js"))


@cache
def _wrap_module(path: Path, *, whole: bool) -> str:
    """Wrap a module in a function that runs at once and returns its exports. The script itself exports them.

    Thirty scripts are made of the same modules, so each module is wrapped once.
    """

    def taken(found: re.Match[str]) -> str:
        names = ", ".join(name.strip().replace(" as ", ": ") for name in found["names"].split(",") if name.strip())
        return f"const {{ {names} }} = {_variable(_imported(path, found))};"

    alone = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    alone = _IMPORT.sub(taken, _TYPE.sub("", _ASIDE.sub("", alone)))
    exported = [found["name"] for found in _EXPORT.finditer(alone)]
    body = _EXPORT.sub(r"\g<what>", alone)
    if wrong := _OTHER.search(body):
        raise BundlingError(f"{path.name}: {wrong[0]}")
    if whole:
        return alone
    return f"const {_variable(path)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _variable(path: Path) -> str:
    """The variable for a module in a bundle: `$` and its number, or its name if it is not a module of the pages."""
    return f"${_numbers().get(path, path.stem)}"


@cache
def _numbers() -> dict[Path, int]:
    """The numbers of all modules. Names would add half a kilobyte to a page."""
    return {path: number for number, path in enumerate(sorted(SCRIPTS.resolve().rglob("*.js")))}
