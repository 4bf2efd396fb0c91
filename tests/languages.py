"""The catalogues of languages: `python -m tests.languages` brings them up to date with the words in the code.

What is new stands there without a translation, which a test then asks for; what is used no more is taken out.
"""

from __future__ import annotations

import ast
import importlib
import io
import json
import re
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, get_args, get_type_hints

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from events.types import TYPES, GameClosed
from games import adjustments
from games.contract import is_long_run
from games.rulesets import SHIPPED
from games.scoresheet import SCORESHEET
from games.scoresheet.reading import read_template
from games.scoresheet.ready import READY
from games.words import LABELLED, TERMS, numbers
from projections.catalogue.rows import LISTED
from projections.selfaudit import Kind
from service import languages
from service.access.scopes import ROLES, SCOPES
from service.api.answers.webhooks import DeliveryInfo, WebhookInfo
from service.api.rulebooks import examples
from service.cli.commands import kifu
from service.cli.shell import helping
from service.languages.forms import CONTEXT
from service.languages.plain import LIBRARIES
from service.languages.scripts import SCRIPTS
from service.languages.sentences import MOVE, PART, RULING, SHARED, plain_line
from service.problems.kinds import KINDS
from tests.plain import error_texts, parsed, picture_texts
from workers.analyses import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from games.contract import Adjustment

    Found = tuple[int, str, str | tuple[str, ...], list[str]]

SIGN = 2
"""The length of names in a state that are codes of places, the same in all languages."""

SPEAKERS = {"RuleBrokenError": 1, "ImpossibleError": 0, "Sentence": 0}
"""The calls that make sentences of rulesets, with the position of the text among the arguments."""

ROOT = Path(__file__).parents[1]
SOURCES = (("service/**/*.py", "python"), ("service/pages/templates/*.html", "jinja2"), (f"{SCRIPTS}**/*.js", "script"))
KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "t": None,
    "tn": (1, 2),
}
TEXT = r'\s*("(?:[^"\\]|\\.)*"),?\s*'
CALLED = re.compile(rf"(?<![\w.#$])(?:(t)\({TEXT}|(tn)\([^\"]*?,{TEXT}{TEXT})")
LETTERS = re.compile(r"[A-Za-z]{2}")
COLUMNS = re.compile(r"screen\.table\(([^()]*?)(?:, (?:right|whole)=|\))|^    columns = \(([^()]*)\)$", re.MULTILINE)
"""Finds the column heads of tables on the command line."""
STATES = (
    *ROLES,
    *LISTED,
    *get_args(get_type_hints(WebhookInfo)["state"]),
    *get_args(get_type_hints(DeliveryInfo)["state"]),
    *get_args(Status),
    *get_args(Kind),
)
"""The states of roles, games, endpoints, messages and analyses, and the kinds of differences."""


def columns() -> Iterator[str]:
    """The heads of columns in tables of the command line."""
    for path in sorted((ROOT / "service/cli").rglob("*.py")):
        for found in COLUMNS.findall(path.read_text(encoding="utf-8")):
            yield from (text for text in re.findall(r'"([^"]*)"', "".join(found)) if LETTERS.search(text))


CLOSINGS = set(get_args(get_type_hints(GameClosed)["how"]))
RULES_WORDS = (
    CLOSINGS
    | {ending for ruleset in SHIPPED.values() for ending in ruleset.endings}
    | {
        option.choice_name(choice)
        for ruleset in SHIPPED.values()
        for option in ruleset.options
        if not is_long_run(option.choices) and option.name != "template"
        for choice in option.choices
    }
)
TABLES = {
    "events/types.py": [form.label for form in TYPES.values()],
    f"{SCRIPTS}base/words.js": sorted(word.replace("_", " ") for word in RULES_WORDS if LETTERS.search(word)),
    "service/access/scopes.py": list(SCOPES.values()),
    "service/cli/shell/helping.py": [*helping.CLICK, *helping.CLICK_COUNTS],
    "service/cli/commands.py": sorted({text for _, text in helping.texts(kifu)}),
    "service/cli/shell/screen.py": sorted(set(columns())),
    "service/cli/shell/wording.py": sorted(set(STATES)),
    "service/problems/kinds.py": [text for kind in KINDS.values() for text in (kind.title, kind.advice)],
}
"""Words that the code looks up by a variable."""


def scripts(file: IO[bytes], *_: object, **__: object) -> Iterator[Found]:
    """The texts in calls of `t` and `tn`. Babel's own reader of JavaScript misses nested calls."""
    for found in CALLED.finditer(file.read().decode()):
        texts = [json.loads(text) for text in (found[2], found[4], found[5]) if text]
        yield 0, found[1] or found[3], texts[0] if found[1] else tuple(texts), []


METHODS: dict[str, str | Callable[..., Any]] = {
    "python": "python",
    "jinja2": "jinja2",
    "script": scripts,
}


def extracted() -> Catalog:
    """Every text to be translated, with its files."""
    catalog = Catalog(charset="utf-8")
    for pattern, method in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            if method == "python" and "gettext" not in path.read_text(encoding="utf-8"):
                continue  # to read all of Python takes long
            with path.open("rb") as file:
                for _, text, _, _ in extract(METHODS[method], file, KEYWORDS, options={"trimmed": "true"}):
                    _add(catalog, text, path.relative_to(ROOT).as_posix())
    for name, texts in TABLES.items():
        for text in texts:
            _add(catalog, text, name)
    for text, name in _plain_texts():
        _add(catalog, text, name, CONTEXT)
    return catalog


def _add(catalog: Catalog, text: str | tuple[str, ...], name: str, context: str | None = None) -> None:
    catalog.add(text, locations=[(name, 0)], context=context)


LAYERS = ("events", "projections", "workers", "service")
"""Folders with finished English sentences, recognised by their forms."""
SILENT = ("service/cli/", "service/api/openapi/", "service/pages/assets.py", "service/languages/")
"""Modules that handle languages, or with texts that only developers read."""
FOR_RULESETS = frozenset({"rulesets.py", "copying.py", "chance.py"})


def _plain_texts() -> Iterator[tuple[str, str]]:
    """The finished English sentences, each with its place in the code."""
    yield from ((text, "service/languages/plain.py") for text in LIBRARIES)
    for path in (path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(SILENT):
            yield from ((text, name) for text in error_texts(path.read_text(encoding="utf-8")))


def read(path: Path) -> Catalog:
    """A catalogue as Babel reads it; an empty one if there is no file."""
    if not path.exists():
        return Catalog(charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, charset="utf-8")


def merged(tag: str) -> bytes:
    """The new catalogue of a language, with the existing header and translations."""
    head, catalog = _head(tag), read(languages.path_of(tag))
    catalog.update(extracted(), no_fuzzy_matching=True)
    return _written(head, catalog)


SPOKEN = frozenset({"aria-label", "alt", "placeholder", "title"})
"""Attributes that people read or hear."""
UNSPOKEN = frozenset({"code", "style"})
UNTRANSLATED = re.compile(r"Kifu|API|WDJB-MJHT|MQNR-JPBZ|kifu_…|UTC|iPhone|iPad|Android|Windows|macOS|Linux|Firefox")
"""Names, and examples that are the same in all languages."""


class Read(HTMLParser):
    """Collects the texts and attributes of HTML that people read or hear, without code and other languages."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._hushed = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hushed += tag in UNSPOKEN
        self.said += [value for name, value in attrs if name in SPOKEN and value]

    def handle_endtag(self, tag: str) -> None:
        self._hushed -= tag in UNSPOKEN

    def handle_data(self, data: str) -> None:
        if not self._hushed:
            self.said.append(data)


def bare_in_template(source: str) -> list[str]:
    """The untranslated English texts of a template."""
    tree = Environment(extensions=["jinja2.ext.i18n"], autoescape=True).parse(source)
    html, constants = "", []
    for output in tree.find_all(nodes.Output):
        for part in output.nodes:
            html += part.data if isinstance(part, nodes.TemplateData) else "\N{ZERO WIDTH SPACE}"
            constants += _constants(part)
    read = Read()
    read.feed(html)
    read.close()
    found = [text.strip() for text in [*read.said, *constants]]
    return [text for text in found if LETTERS.search(UNTRANSLATED.sub("", text))]


def _constants(part: nodes.Node) -> Iterator[str]:
    """The constant texts that an expression may evaluate to."""
    if isinstance(part, nodes.Const) and isinstance(part.value, str):
        yield part.value
    elif isinstance(part, nodes.CondExpr):
        for chosen in (part.expr1, part.expr2):
            if chosen is not None:
                yield from _constants(chosen)
    elif isinstance(part, (nodes.Concat, nodes.Or, nodes.Add)):
        for inner in part.iter_child_nodes():
            yield from _constants(inner)


COMMENT = re.compile(r"/\*[\s\S]*?\*/|(?<!:)//.*|^import .*$", re.MULTILINE)
NAMED = re.compile(
    r'\b(?:class|id|role|type|rel): (?:[^,{}]*?\? )?"[^"]*"(?: : (?:[^,{}"]*\? )?"[^"]*")*'
    r"|\bclassName = .*"
)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
ENGLISH = re.compile(
    r"^[^a-z]*[A-Z][a-z]+(?:[ ,.:?’]|$)|[a-z’,]+ [A-Za-z]+ [a-z]+"
    r"|(?:^|\} )[a-z]{2,} [a-z]{2,}(?:$| \$)|\} [a-z]{2,}[.:,]?$"
)
"""A word like the start of a sentence, three words in a row, or a text of exactly two words."""
CODE = re.compile(r"\$\{[^{}\"]*\}")
"""The parts of a text that are code."""
SAME_EVERYWHERE = frozenset(
    {
        "Kifu",
        "Jonas",
        "ETag",
        "Date",
        "Enter",
        "Wingspan, アズール …",
        "sum min max count abs floor ceil round rank rank_low ties everyone given first last",
        "before after",
    }
)


def bare_in_script(source: str) -> list[str]:
    """The untranslated strings of a script that look like English."""
    rest = NAMED.sub("", COMMENT.sub("", CALLED.sub("(", source)))
    found = [double or ticked for double, ticked in STRING.findall(rest)]
    seen = [(text, CODE.sub("${}", text)) for text in found]
    return [text for text, words in seen if ENGLISH.search(words) and text not in SAME_EVERYWHERE]


SAYERS = frozenset({"gettext", "ngettext", "gettext_noop"})
UNSAID = frozenset({"AssertionError", "TypeError", "table", "Path", "Text.assemble", "Option", "option", "argument"})
"""Functions that look up their text arguments, or take texts that nobody reads."""
READ_BY_PROGRAMS = frozenset({"brought to ${}", ", at character"})
FOR_AUTHORS = frozenset({"checking.py", "layout.py"})
"""Modules of the command line for authors of rulesets: promises and their failures are in English."""
STYLES = re.compile(r"(?:not )?(?:bold|dim)(?: \w+)?|[A-Z][A-Za-z-]+|PYTHONHASHSEED=.*|(?:Bearer|kifu).*")


def bare_in_command(source: str) -> list[str]:
    """The untranslated texts of a command-line module that look like English."""
    tree = ast.parse(source)
    above = {inner: outer for outer in ast.walk(tree) for inner in ast.iter_child_nodes(outer)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) or _is_text(node)]
    texts = [(_bare(node), node) for node in found if not _is_said(node, above)]
    return [
        text
        for text, _ in texts
        if ENGLISH.search(text) and text not in READ_BY_PROGRAMS and not STYLES.fullmatch(text)
    ]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _bare(node: ast.AST) -> str:
    """A text with `${}` for each inserted value."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_bare, node.values))
    return str(node.value) if isinstance(node, ast.Constant) else "${}"


def _is_said(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether a text is looked up in the catalogues, or read by no user: a docstring, a name, translated help."""
    if isinstance(above[node], ast.Expr):
        return True
    while outer := above.get(node):
        called = outer.func if isinstance(outer, ast.Call) else None
        name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
        if name in SAYERS | UNSAID or isinstance(outer, (ast.JoinedStr, ast.Compare, ast.arguments)):
            return True
        if isinstance(outer, ast.FunctionDef) and node in outer.decorator_list:
            return True
        node = outer
    return False


OF_ALL = ("*.py", "contract/*.py", "knowledge/*.py")
"""The modules with the sentences of all rulesets."""


def sentences(package: str) -> Catalog:
    """The sentences in the code of a ruleset (or in `games` for all): effects, and reasons of illegal moves."""
    catalog = Catalog(charset="utf-8")
    folder = ROOT / package.replace(".", "/")
    for path in sorted(
        found for pattern in (OF_ALL if package == SHARED else ("**/*.py",)) for found in folder.glob(pattern)
    ):
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            for text in _texts(node):
                _add(catalog, text, path.relative_to(ROOT).as_posix())
        for text in error_texts(path.read_text(encoding="utf-8")) if path.name not in FOR_RULESETS else ():
            _add(catalog, text, path.relative_to(ROOT).as_posix(), CONTEXT)
        for text in picture_texts(path.read_text(encoding="utf-8")):
            _add(catalog, text, path.relative_to(ROOT).as_posix(), CONTEXT)
    for ruleset in (each for each in SHIPPED.values() if each.package == package):
        _add(catalog, numbers(ruleset.seats), f"{package.replace('.', '/')}/__init__.py", CONTEXT)
    for term, name in _terms(package):
        _add(catalog, term, name)
    return catalog


def _terms(package: str) -> Iterator[tuple[str, str]]:
    """The names of things in a ruleset (or in `games` for all), each with its place in the code."""
    if package == SHARED:
        yield from ((term, "games/words.py") for term in TERMS)
        yield from _ruled(COMMON, "games/adjustments.py")
        return
    (ruleset,) = (each for each in SHIPPED.values() if each.package == package)
    folder = package.replace(".", "/")
    yield from ((term, f"{folder}/terms.py") for term in ruleset.terms)
    tree = ast.parse((ROOT / folder / "describe.py").read_text(encoding="utf-8"))
    tables = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    parts = {str(key.value) for table in tables for key in table.keys if isinstance(key, ast.Constant)}
    yield from ((f"{PART}{_plain(part)}", f"{folder}/describe.py") for part in sorted(parts) if len(part) > SIGN)
    moves = get_args(ruleset.moves) or (ruleset.moves,)
    types = {str(move.__struct_config__.tag) for move in moves}
    yield from ((f"{MOVE}{_plain(kind)}", f"{folder}/moves/__init__.py") for kind in sorted(types))
    yield from _ruled([form for form in ruleset.adjustments if form not in COMMON], f"{folder}/adjustments.py")
    parts = _parts_of_box(package) - parts
    yield from ((f"{PART}{_plain(part)}", f"{folder}/components.py") for part in sorted(parts))
    options = [option for option in ruleset.options if not option.additions]
    choices = {option.choice_name(choice) for option in options for choice in option.choices}
    yield from ((f"{LABELLED}{choice}", f"{folder}/options.py") for choice in sorted(choices) if LETTERS.search(choice))
    found = [*(example.meaning for example in examples(ruleset.notation_help)), ruleset.components_help]
    yield from ((plain_line(text), f"{folder}/__init__.py") for text in (*found, *ruleset.changes) if text)
    yield from _sheets() if ruleset is SCORESHEET else ()


def _parts_of_box(package: str) -> set[str]:
    """The components of a ruleset that the state of a game shows."""
    if find_spec(f"{package}.components") is None:
        return set()
    components = importlib.import_module(f"{package}.components")
    kinds = (components.Box, components.Card, components.Supply) if hasattr(components, "box_data") else ()
    return {field for kind in kinds for field in kind.__struct_fields__}


def _sheets() -> Iterator[tuple[str, str]]:
    """The descriptions of the ready score sheets, and the names of their teams and value labels."""
    for name, data in READY.items():
        template = read_template(data)
        labels = (f"{LABELLED}{_plain(word)}" for column in template.columns for word in column.labels)
        for text in (template.about, template.checked, *(team.name for team in template.teams), *labels):
            if text:
                yield plain_line(text), f"games/scoresheet/templates/{name}.toml"


def _ruled(forms: Iterable[type[Adjustment]], name: str) -> Iterator[tuple[str, str]]:
    """The changes by rulings: their names, fields and effects."""
    for form in forms:
        fields = [
            f"{PART}{_plain(field)}" for field in form.__struct_fields__ if form in COMMON or field not in SHARED_FIELDS
        ]
        for text in (f"{RULING}{_plain(str(form.__struct_config__.tag))}", *fields, plain_line(form.__doc__ or "")):
            yield text, name


COMMON = adjustments.COMMON
SHARED_FIELDS = {field for form in COMMON for field in form.__struct_fields__}


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _texts(node: ast.AST) -> Iterator[str]:
    """The visible texts in a part of the code: a table of kinds of effects, or the parts of a sentence."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name, value = node.targets[0].id, node.value
        if name == "text":
            yield from _strings(value)
        if name in ("KINDS", "RULED"):
            for table in ast.walk(value):
                for each in table.values if isinstance(table, ast.Dict) else ():
                    yield from _strings(each)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name, arguments = node.func.id, node.args
        if name in {"count_and_noun", "counted_text"} and isinstance(arguments[1], ast.Constant):
            yield f"{{number}} {arguments[1].value}"
            yield f"{{number}} {arguments[1].value}s"
        if len(arguments) > SPEAKERS.get(name, len(arguments)):
            yield from _strings(arguments[SPEAKERS[name]])


def _strings(node: ast.expr) -> Iterator[str]:
    for inner in (node.body, node.orelse) if isinstance(node, ast.IfExp) else (node,):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and LETTERS.search(inner.value):
            yield inner.value


def bare_in_ruleset(source: str) -> list[str]:
    """The reasons of illegal moves that the code joins from English parts: they cannot be translated."""
    return [
        ast.unparse(argument)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPEAKERS
        for argument in node.args
        if isinstance(argument, ast.JoinedStr)
    ]


def merged_sentences(package: str, tag: str) -> bytes:
    """The new catalogue of a ruleset in a language, with the existing header and translations."""
    path = path_of(package, tag)
    head, _, _ = path.read_text(encoding="utf-8").strip().partition("\n\n") if path.exists() else (_head(tag), "", "")
    catalog = read(path)
    catalog.update(sentences(package), no_fuzzy_matching=True)
    return _written(head, catalog)


def path_of(package: str, tag: str) -> Path:
    """The path of a ruleset's catalogue in a language."""
    return ROOT / package.replace(".", "/") / f"words.{tag.replace('-', '_')}.po"


def _head(tag: str) -> str:
    return languages.path_of(tag).read_text(encoding="utf-8").strip().partition("\n\n")[0]


def _written(head: str, catalog: Catalog) -> bytes:
    written = io.BytesIO()
    write_po(written, catalog, width=120, include_lineno=False, ignore_obsolete=True, omit_header=True)
    return f"{head}\n\n".encode() + written.getvalue().lstrip()


PACKAGES = (SHARED, *(ruleset.package for ruleset in SHIPPED.values()))
"""The packages with a catalogue of sentences."""


def main() -> None:
    for tag in languages.locales():
        if tag != languages.ENGLISH:
            texts = {languages.path_of(tag): merged(tag)}
            texts |= {path_of(package, tag): merged_sentences(package, tag) for package in PACKAGES}
            for path, text in texts.items():
                if not path.exists() or path.read_bytes() != text:
                    path.write_bytes(text)
                    sys.stdout.write(f"{path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
