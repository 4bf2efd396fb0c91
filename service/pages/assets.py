"""The files that pages load, kept in memory: style, icon, words, and one script for each page.

A script is written as modules, and sent as one file: a page asks once instead of sixty times, and nothing has to be
built beforehand.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from itertools import chain
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
"""How many digits of a digest name a release."""

LATER = {
    "game": (
        *("analysis/analysis", "audit/comparing", "board/state", "people/sharing", "record/revised", "record/tools"),
        "story/story",
    ),
    "record/tools": ("record/actions", "sheet/keypad"),
}
"""Scripts that another one loads when somebody wants what they do. They take from it what it has already."""

_LATER = re.compile(r"later/(?P<locale>[\w-]+)/(?P<script>[\w/-]+)\.js")
_WORDS = re.compile(r"words/(?P<locale>[\w-]+)/(?P<script>\w+)\.js")
_IMPORT = re.compile(r'^import \{(?P<names>[^}]*)\} from "(?P<module>\.{1,2}/[\w/-]+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?P<what>(?:async function|function|class|const) (?P<name>\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_ASIDE = re.compile(r"(?<=[;{},(\[)]) // [^\n\"`]*$", re.MULTILINE)
_TYPE = re.compile(r"/\*\* @type \{.*?\} \*/ ?")
_INDENT = re.compile(r"^ +", re.MULTILINE)
_BREAK = re.compile(r"(?<=[(\[{,])\n+|,?\n+(?=[)\]}])|\n(?=\n)")
"""Line ends, and a comma before them, that say nothing. No text of several lines in a script depends on those."""
_TEXT = (
    r'"(?:[^"\\\n]|\\.)*"',
    r"`(?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\})*`",
    r"(?:(?<=[(\[,!\n])|(?<=[(\[,=:?&|>] ))/(?![*/ ])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/",
)
"""A string, a template with at most one within it, and a regular expression: what keeps its spaces."""
_GAP = re.compile(rf"(?P<text>{'|'.join(_TEXT)})|(?<![-+/]) (?=[^\w$])|(?<=[^\w$]) (?![-+/])")
"""Texts, and spaces beside a sign. A space that keeps two words, or two of `+`, `-` and `/`, apart is none of them."""
_SPACE = re.compile(r"\n\s+")
_AROUND = re.compile(r'(?P<text>"[^"]*")|\s*;?\s*(?P<end>})\s*|\s*(?P<mark>[{;,])\s*')
_STYLE_IMPORT = re.compile(r'^@import "(?P<name>[\w/]+\.css)"(?: (?P<media>[^;]+))?;$', re.MULTILINE)
_STYLE_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class BundlingError(Exception):
    """A module that cannot be put into one file with others."""


@cache
def content(name: str) -> bytes:
    """What a file of the static folder is sent as. Raises `FileNotFoundError`."""
    if found := _WORDS.fullmatch(name):
        return _words(found["locale"], found["script"])
    if found := _LATER.fullmatch(name):
        return _later(found["locale"], found["script"])
    if name not in _files():  # by its one name alone: what is made of it is kept by that
        raise FileNotFoundError(name)
    path = STATIC / name
    if path.suffix == ".css":
        return _style(path).encode()
    return bundle(path).encode() if path.suffix == ".js" else path.read_bytes()


@cache
def _files() -> frozenset[str]:
    """The files of the static folder."""
    return frozenset(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file())


def names() -> list[str]:
    """All that pages ask for: the files of the folder without parts of scripts and styles, words, and later scripts."""
    files = sorted(name for name in _files() if "/" not in name or (name.startswith("js/") and name.count("/") == 1))
    scripts = [Path(name).stem for name in files if name.startswith("js/")]
    translated = [tag for tag in languages.locales() if tag != languages.ENGLISH]
    words = [f"words/{tag}/{script}.js" for tag in translated for script in scripts]
    parts = [part for parts in LATER.values() for part in parts]
    return files + words + [f"later/{tag}/{part}.js" for tag in languages.locales() for part in parts]


@cache
def digest() -> str:
    """What the addresses of all files share: it changes with any of them, so that each can be kept for ever.

    It names the release of the pages, and changes with that of the service as well.
    """
    words = [languages.path_of(tag) for tag in languages.locales() if tag != languages.ENGLISH]
    files = [*sorted(path for path in STATIC.rglob("*") if path.is_file()), *words, Path(__file__)]
    content = b"".join(path.read_bytes() for path in files)
    return sha256(content + __version__.encode()).hexdigest()[:DIGITS]


def is_digest(text: str) -> bool:
    """Whether something looks like what names a release."""
    return len(text) == DIGITS and set(text) <= set(hexdigits.lower())


def _words(tag: str, script: str) -> bytes:
    """The words of a language for a script and all that it loads at once. Raises `FileNotFoundError`."""
    if tag not in languages.locales() or tag == languages.ENGLISH:
        raise FileNotFoundError(tag)
    return scripts.words(tag, of=_names(_parts(SCRIPTS / f"{script}.js"))).encode()


def _later(tag: str, script: str) -> bytes:
    """A script that another one loads, with what that has not, and its words. Raises `FileNotFoundError`."""
    if _loader(script) is None or tag not in languages.locales():
        raise FileNotFoundError(script)
    known = _there(script)
    *modules, last = (parts := _parts(SCRIPTS / f"{script}.js", known)).values()
    words = "" if tag == languages.ENGLISH else scripts.more_words(tag, of=_names(parts.keys() - known))
    given = _given(script, parts.keys() - known)
    gift = [f"Object.assign(kifuParts, {{ {given} }});"] if given else []
    return (words + _joined([*modules, *gift, last])).encode()


def _loader(script: str) -> str | None:
    """The script that loads another one later."""
    return next((name for name, later in LATER.items() if script in later), None)


def _there(script: str) -> Set[Path]:
    """The modules that are there when a script comes: those of the script that loads it, and what that found."""
    loader = _loader(script)
    return _there(loader) | _parts(SCRIPTS / f"{loader}.js", _there(loader)).keys() if loader else set()


def _given(script: str, own: Container[Path]) -> str:
    """The modules of a script's own that those take that are loaded after it."""
    after = [each for each in chain(*LATER.values()) if script in _loaders(each)]
    taken = {path for each in after for path in _parts(SCRIPTS / f"{each}.js", _there(each)) if path in own}
    return ", ".join(sorted(map(_variable, taken)))


def _loaders(script: str) -> list[str]:
    """The script that loads another one later, the one that loads that, and so on."""
    loader = _loader(script)
    return [loader, *_loaders(loader)] if loader else []


def inlined(script: str, tag: str) -> str:
    """A script that exports `start`, with its modules and its words in a language, to stand in a page and run there."""
    path = SCRIPTS / f"{script}.js"
    words = "" if tag == languages.ENGLISH else scripts.words(tag, of=_names(_parts(path)))
    return f"{words}\n{bundle(path)}\nstart();\n"


def _names(paths: Iterable[Path]) -> set[str]:
    """Files of scripts as the catalogues name them."""
    return {f"{scripts.SCRIPTS}{path.relative_to(SCRIPTS.resolve()).as_posix()}" for path in paths}


def _style(path: Path) -> str:
    """A style sheet with those that it imports, and without comments and needless spaces, which weigh 1.4 kB."""
    whole = _STYLE_IMPORT.sub(_imported_style, path.read_text(encoding="utf-8"))
    return _AROUND.sub(lambda found: found[found.lastgroup or 0], _SPACE.sub("\n", _STYLE_COMMENT.sub("", whole)))


def _imported_style(found: re.Match[str]) -> str:
    style = _style(STATIC / found["name"])
    return f"@media {found['media']} {{\n{style}}}" if found["media"] else style


def worker(tag: str) -> bytes:
    """The service worker, which says what it has to say in a language."""
    words = b"" if tag == languages.ENGLISH else _words(tag, "worker")
    return words + content("js/worker.js")


def bundle(entry: Path) -> str:
    """A script with all modules that it imports, each before those that import it, in a scope of its own, not indented.

    Raises `BundlingError` for modules that import each other, and for imports and exports in another form than
    `import { a, b as c } from "../room/module.js";` and `export function`, `class` or `const`.
    """
    parts = _parts(entry)
    given = _given(entry.stem, parts) if entry.parent == SCRIPTS else ""
    *modules, script = parts.values()
    gift = [f"globalThis.kifuParts = {{ {given} }};"] if given else []
    return _joined([*modules, *gift, script])


def _joined(parts: Iterable[str]) -> str:
    """Modules in one file, without the indents, line ends and spaces that say nothing: 5 kB of a game, compressed."""
    lines = _BREAK.sub("", _INDENT.sub("", "\n".join(parts)))
    return _GAP.sub(lambda found: found["text"] or "", lines)


def _parts(entry: Path, known: Container[Path] = ()) -> dict[Path, str]:
    """The modules of a script, in their order; those that are `known` are taken from the script that has them."""
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
    source = path.read_text(encoding="utf-8")
    for found in _IMPORT.finditer(source):
        _collect(_imported(path, found), (*importing, path), parts, known)
    parts[path] = _scoped(path, source, whole=not importing)


def _imported(path: Path, found: re.Match[str]) -> Path:
    return (path.parent / f"{found['module']}.js").resolve()


def _scoped(path: Path, source: str, *, whole: bool) -> str:
    """A module as a function that runs at once and returns what it exports; the script itself exports it."""

    def taken(found: re.Match[str]) -> str:
        names = ", ".join(name.strip().replace(" as ", ": ") for name in found["names"].split(",") if name.strip())
        return f"const {{ {names} }} = {_variable(_imported(path, found))};"

    alone = _IMPORT.sub(taken, _TYPE.sub("", _ASIDE.sub("", _COMMENT.sub("", source))))
    exported = [found["name"] for found in _EXPORT.finditer(alone)]
    body = _EXPORT.sub(r"\g<what>", alone)
    if wrong := _OTHER.search(body):
        raise BundlingError(f"{path.name}: {wrong[0]}")
    if whole:
        return alone
    return f"const {_variable(path)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _variable(path: Path) -> str:
    """What a module is called in the file: `$` and its number, or its name if it is none of the pages'."""
    return f"${_numbers().get(path, path.stem)}"


@cache
def _numbers() -> dict[Path, int]:
    """The modules of the pages, numbered: names are long, and weigh half a kilobyte in a page."""
    return {path: number for number, path in enumerate(sorted(SCRIPTS.resolve().rglob("*.js")))}
