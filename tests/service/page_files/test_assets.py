"""The files that pages load: each script is one file with all that it imports."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from service.pages import assets
from tests.cases import cases
from tests.npm import NpmError, node_modules
from tests.page_code import PAGES

TEMPLATES = Path(assets.__file__).parent / "templates"
SCRIPTS = {"page", "worker"} | {
    name
    for template in TEMPLATES.glob("*.html")
    for name in re.findall(r'set script(?:, \w+)? = "(\w+)"', template.read_text(encoding="utf-8"))
}
LATER = {
    name
    for template in TEMPLATES.glob("*.html")
    for name in re.findall(r"later\('([\w/]+)'\)", template.read_text(encoding="utf-8"))
}
"""Scripts that a page loads when somebody wants what they do, and takes something from."""


def sent(name: str, tag: str = "en") -> str:
    """A script as a page gets it."""
    return assets.content(f"later/{tag}/{name}.js" if name in LATER else f"js/{name}.js").decode()


def variable(path: Path) -> str:
    """What a module is called in a script, without the sign before it."""
    return str(sorted(assets.SCRIPTS.rglob("*.js")).index(path))


def test_what_is_loaded_later_is_known() -> None:
    assert {name for later in assets.LATER.values() for name in later} == LATER


@pytest.mark.slow  # the first one wraps all modules
@cases("name", sorted(SCRIPTS | LATER))
def test_the_script_of_a_page_is_one_file_without_imports(name: str) -> None:
    script = sent(name)
    assert not re.search(r"^import\b", script, re.MULTILINE)
    assert bool(re.search(r"^export\b", script, re.MULTILINE)) == (name in LATER)
    declared = re.findall(r"^const (\$\w+)=", script, re.MULTILINE)
    assert len(declared) == len(set(declared))
    used = set(re.findall(r"=(\$\w+);$", script, re.MULTILINE))
    assert used <= set(declared)
    for found in re.finditer(r"=(\$\w+);$", script, re.MULTILINE):  # a module comes before the modules that use it
        assert script.index(f"const {found[1]}=") < found.start()


UNREADABLE = """
const {SourceTextModule} = require("node:vm");
for (const [name, script] of Object.entries(JSON.parse(require("node:fs").readFileSync(0, "utf8"))))
  try {
    new SourceTextModule(script);
  } catch (why) {
    console.log(`${name}: ${why}`);
  }
"""
"""Says which scripts, `{name: text}` on standard input, are none that a browser can read."""


@pytest.mark.programs
def test_a_browser_can_read_the_script_of_every_page() -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("there is no node here: no script was read")
    scripts = {name: sent(name) for name in SCRIPTS | LATER}
    command = [node, "--experimental-vm-modules", "--no-warnings", "--eval", UNREADABLE]
    for broken in ({}, {"broken": "export const a = ;"}):
        given = json.dumps(scripts | broken)
        done = subprocess.run(command, input=given, check=True, timeout=60, capture_output=True, text=True)
        assert [line.partition(": ")[0] for line in done.stdout.splitlines()] == [*broken]


@pytest.mark.slow
def test_a_page_has_every_module_that_its_script_needs() -> None:
    modules = {variable(path) for path in assets.SCRIPTS.rglob("*.js")}
    had = set()
    for name in SCRIPTS | LATER:
        script = sent(name)
        path = assets.SCRIPTS / f"{name}.js"
        had |= {variable(path), *re.findall(r"^const \$(\w+)=\(", script, re.MULTILINE)}
    had |= {variable(assets.SCRIPTS / "filed/filed.js")}  # stands in the file of a game
    had |= set(re.findall(r"^const \$(\w+)=\(", assets.inlined("filed/filed", "en"), re.MULTILINE))
    assert had == modules


def test_what_is_loaded_later_takes_what_is_there_and_brings_the_rest_with_its_words() -> None:
    first, between, later = sent("game"), sent("record/tools"), sent("record/actions")
    (given,) = re.findall(r"^globalThis\.kifuParts=\{(.*)\};$", first, re.MULTILINE)
    (more,) = re.findall(r"^Object\.assign\(kifuParts,\{(.*)\}\);$", between, re.MULTILINE)
    for script, there in ((between, given), (later, f"{given},{more}")):
        taken = re.findall(r"^const (\$\w+)=kifuParts\.(\$\w+);$", script, re.MULTILINE)
        assert {own for own, _ in taken} == {name for _, name in taken} <= set(there.split(","))
    brought = [re.findall(r"^const (\$\w+)=\(", script, re.MULTILINE) for script in (first, between, later)]
    assert len(set(chain(*brought))) == sum(map(len, brought))
    words = assets.content("words/ja/game.js").decode()
    more = sent("record/actions", "ja").partition("\n")[0]
    assert more.startswith("Object.assign(kifuWords.words, {")
    assert '"Erase its text"' in more
    assert '"Erase its text"' not in words
    assert '"Newest entry"' not in more
    with pytest.raises(FileNotFoundError):
        assets.content("later/en/base/dom.js")
    with pytest.raises(FileNotFoundError):
        assets.content("later/xx/record/actions.js")


@cases("name", ["\0", "a" * 5000, "../__init__.py", "js/../icon.svg", "js//page.js", "js", "", "/icon.svg"])
def test_a_file_has_one_name_and_other_names_are_no_fault(name: str) -> None:
    with pytest.raises(FileNotFoundError):
        assets.content(name)


@cases("path", sorted(assets.SCRIPTS.rglob("*.js")), ids=lambda path: path.stem)
def test_what_a_module_imports_is_there(path: Path) -> None:
    for found in re.finditer(r'^import \{([^}]*)\} from "(.*?)";$', path.read_text(encoding="utf-8"), re.MULTILINE):
        module = (path.parent / found[2]).read_text(encoding="utf-8")
        exported = re.findall(r"^export (?:async function|function|class|const) (\w+)", module, re.MULTILINE)
        assert {name.partition(" as ")[0].strip() for name in found[1].split(",") if name.strip()} <= set(exported)


@pytest.mark.parametrize("name", [name for name in assets.names() if name.endswith((".js", ".css"))])
def test_what_is_sent_has_no_comments_and_no_empty_lines(name: str) -> None:
    text = assets.content(name).decode()
    assert "/*" not in text
    assert not re.search(r"^\s|\n$", text.strip(), re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in assets.names() if name.endswith(".css")])
def test_a_sheet_is_sent_without_spaces_that_say_nothing_and_with_those_of_its_texts(name: str) -> None:
    text, source = assets.content(name).decode(), (assets.STATIC / name).read_text(encoding="utf-8")
    assert not re.search(r"\s[{};,]|[{};,]\s|;}", re.sub(r'"[^"]*"', '""', text))
    quoted = re.findall(r'"[^"]*"', re.sub(r"/\*.*?\*/|@import.*", "", source))
    assert {each for each in quoted if re.search(r"[{};, ]", each)} <= set(re.findall(r'"[^"]*"', text))


def test_a_module_of_a_room_is_sent_by_itself_too() -> None:
    assert "function h(" in assets.content("js/base/dom.js").decode()
    with pytest.raises(FileNotFoundError):
        assets.content("js/dom.js")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"one": 'import { b } from "./two.js";', "two": 'import { a } from "./one.js";'}, "import each other"),
        ({"one": 'import * as two from "./two.js";', "two": ""}, "one.js: import"),
        ({"one": "export default 3;"}, "one.js: export default"),
    ],
)
def test_a_module_that_cannot_be_sent_so_is_named(files, why, tmp_path) -> None:
    for name, source in files.items():
        (tmp_path / f"{name}.js").write_text(source, encoding="utf-8")
    with pytest.raises(assets.BundlingError, match=re.escape(why)):
        assets.bundle(tmp_path / "one.js")


@pytest.mark.programs
def test_names_stay_their_own_and_are_imported_under_others(tmp_path) -> None:
    (tmp_path / "one.js").write_text(
        'import { told as said } from "./two.js";\nconst own = 1;\nconsole.log(said(own));\n', encoding="utf-8"
    )
    (tmp_path / "two.js").write_text(
        "const own = 2; // Kept back.\n/** Kept back. */\nexport function told(number) {\n"
        '  const read = "; // no comment";\n  return read && own + number;\n}\n',
        encoding="utf-8",
    )
    script = assets.bundle(tmp_path / "one.js")
    assert "Kept back" not in script
    assert "; // no comment" in script
    if node := shutil.which("node"):
        done = subprocess.run([node, "-e", script], check=True, timeout=60, capture_output=True, text=True)
        assert done.stdout == "3\n"


@pytest.mark.programs
def test_a_script_loses_spaces_and_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        typescript = str(node_modules(PAGES) / "typescript")
    except NpmError as why:
        pytest.skip(str(why))
    paths = sorted(assets.SCRIPTS.rglob("*.js"))
    modules = [assets._wrap_module(path, whole=False) for path in paths]
    without = [assets._join_modules([module]) for module in modules]
    monkeypatch.setattr(assets, "_GAP", re.compile(r"(?P<text>(?!))"))
    whole = [assets._join_modules([module]) for module in modules]
    assert without != whole
    pairs = json.dumps(dict(zip(map(str, paths), zip(without, whole, strict=True), strict=True)))
    command = ["node", str(Path(__file__).with_name("tokens.cjs")), typescript]
    done = subprocess.run(command, input=pairs, check=True, timeout=120, capture_output=True, text=True)
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize(
    ("code", "sent"),
    [
        ('if (a === "b, c") { return [d, "{ e }"]; }', 'if(a==="b, c"){return[d,"{ e }"];}'),
        ("a - -b + +c - --d / e", "a- -b+ +c- --d/e"),
        (
            "a in b; async (c) => `${c ? `, ${{ d: 1 }.d} ` : ` `} ;`",
            "a in b;async(c)=>`${c ? `, ${{ d: 1 }.d} ` : ` `} ;`",
        ),
        ('a = /[/ "] , /u; b = c.split( /, /);', 'a=/[/ "] , /u;b=c.split(/, /);'),
        ('a.replace(/ y="<" /g, b) / c / d', 'a.replace(/ y="<" /g,b)/c/d'),
        ('a = " \\" , "; b = c / d / e;', 'a=" \\" , ";b=c/d/e;'),
    ],
)
def test_texts_and_signs_that_would_run_together_keep_their_spaces(code: str, sent: str, tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text(code, encoding="utf-8")
    assert assets.bundle(tmp_path / "one.js") == sent


def test_a_module_is_read_once_for_all_scripts_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read: Counter[Path] = Counter()
    real = Path.read_text

    def counted(path: Path, *args: Any, **more: Any) -> str:
        read[path] += 1
        return real(path, *args, **more)

    monkeypatch.setattr(Path, "read_text", counted)
    for made in (assets.content, assets._imports, assets._wrap_module):
        made.cache_clear()
    for name in assets.names():
        assets.content(name)
    modules = {path: times for path, times in read.items() if path.suffix == ".js"}
    assert len(modules) > 100
    assert max(modules.values()) <= 3, "for its imports, as a module, and as a script"
