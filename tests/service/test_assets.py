"""The files that pages load: each script is one file with all that it imports."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service import assets, pages

TEMPLATES = Path(pages.__file__).parent / "templates"
SCRIPTS = {"page", "worker"} | {
    name
    for template in TEMPLATES.glob("*.html")
    for name in re.findall(r'set script(?:, \w+)? = "(\w+)"', template.read_text(encoding="utf-8"))
}
LATER = {
    name
    for template in TEMPLATES.glob("*.html")
    for name in re.findall(r"data-script=.*'js/([\w/]+)\.js'", template.read_text(encoding="utf-8"))
}
"""Scripts that a page loads when somebody wants what they show, and takes something from."""


@pytest.mark.parametrize("name", sorted(SCRIPTS | LATER))
def test_the_script_of_a_page_is_one_file_that_a_browser_can_read(name: str, tmp_path: Path) -> None:
    script = assets.content(f"js/{name}.js").decode()
    assert not re.search(r"^import\b", script, re.MULTILINE)
    assert bool(re.search(r"^export\b", script, re.MULTILINE)) == (name in LATER)
    declared = re.findall(r"^const (\$\w+) =", script, re.MULTILINE)
    assert len(declared) == len(set(declared))
    used = set(re.findall(r"= (\$\w+);$", script, re.MULTILINE))
    assert used <= set(declared)
    for found in re.finditer(r"= (\$\w+);$", script, re.MULTILINE):  # whoever uses a module comes after it
        assert script.index(f"const {found[1]} =") < found.start()
    if node := shutil.which("node"):
        file = tmp_path / "script.mjs"
        file.write_text(script, encoding="utf-8")
        subprocess.run([node, "--check", file], check=True, timeout=60)


def test_a_page_has_every_module_that_its_script_needs() -> None:
    modules = {f"{path.parent.name}_{path.stem}" for path in assets.SCRIPTS.rglob("*.js")}
    sent = set()
    for name in SCRIPTS | LATER:
        script = assets.content(f"js/{name}.js").decode()
        path = assets.SCRIPTS / f"{name}.js"
        sent |= {f"{path.parent.name}_{path.stem}", *re.findall(r"^const \$(\w+) = \(", script, re.MULTILINE)}
    assert sent == modules


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
